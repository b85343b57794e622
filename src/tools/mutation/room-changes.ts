/** Places of compiled code that can be weakened, each by another text in its stead. Pure. */
import ts from 'typescript';
import { namesIn } from './names.js';

export interface RoomChange {
  /** "joining/poll.js, poll: negated left > 0", the same wherever it stands. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly put: string;
}

/** What the name says of the node, and what stands in its stead, or in that of a part of it. */
type Weaker = readonly [how: string, put: string, part?: Part];
interface Part {
  readonly start: number;
  readonly end: number;
}

const K = ts.SyntaxKind;
const OTHERWISE: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [K.AmpersandAmpersandToken]: '||',
  [K.BarBarToken]: '&&',
  [K.LessThanToken]: '<=',
  [K.LessThanEqualsToken]: '<',
  [K.GreaterThanToken]: '>=',
  [K.GreaterThanEqualsToken]: '>',
  [K.EqualsEqualsEqualsToken]: '!==',
  [K.ExclamationEqualsEqualsToken]: '===',
};
const LOGICAL = [K.AmpersandAmpersandToken, K.BarBarToken];
/** Calls without which a list stays as it was, or a text. */
const PASSED_OVER = ['filter', 'sort', 'trim', 'toLowerCase'];
const CONVERSE: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);

export const weakerText = (text: string, { start, end, put }: RoomChange): string =>
  text.slice(0, start) + put + text.slice(end);

/** `file`: "joining/poll.js". */
export function roomChanges(file: string, text: string): readonly RoomChange[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const nameOf = namesIn(file);
  const found: RoomChange[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    for (const [how, put, part = partOf(node)] of weaker(node)) found.push({ name: nameOf(node, how), ...part, put });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

function weaker(node: ts.Node): readonly Weaker[] {
  return isCondition(node) ? [['negated', `!(${node.getText()})`], ['never', 'false'], ...others(node)] : others(node);
}

function others(node: ts.Node): readonly Weaker[] {
  if (ts.isBinaryExpression(node)) return ofOperator(node);
  if (ts.isCallExpression(node)) return ofCall(node);
  if (ts.isArrayLiteralExpression(node)) return ofList(node);
  if (ts.isExpressionStatement(node)) return isDone(node.expression) ? [['without', ';']] : [];
  if (ts.isThrowStatement(node)) return [['without', ';']];
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken)
    return [['not negated', node.operand.getText()]];
  if (ts.isParameter(node) && node.initializer !== undefined) return [['without the default', node.name.getText()]];
  return ofLiteral(node);
}

const partOf = (node: ts.Node): Part => ({ start: node.getStart(), end: node.end });

const isCondition = (node: ts.Node): boolean =>
  (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node);

/** A call alone, whose value nobody asks for: while the module loads it declares something. */
const isDone = (expression: ts.Expression): boolean =>
  (ts.isCallExpression(expression) || ts.isAwaitExpression(expression)) && !ts.isSourceFile(expression.parent.parent);

function ofOperator({ left, right, operatorToken }: ts.BinaryExpression): readonly Weaker[] {
  const { kind } = operatorToken;
  const other = OTHERWISE[kind];
  const made: Weaker[] = other === undefined ? [] : [[`${other} in`, other, partOf(operatorToken)]];
  if (LOGICAL.includes(kind))
    made.push([`without ${right.getText()} in`, left.getText()], [`without ${left.getText()} in`, right.getText()]);
  if (kind === K.QuestionQuestionToken) made.push(['without the default', left.getText()]);
  return made;
}

function ofCall({ expression }: ts.CallExpression): readonly Weaker[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const { name } = expression;
  const converse = CONVERSE.get(name.text);
  if (converse !== undefined) return [[`${converse} in`, converse, partOf(name)]];
  return PASSED_OVER.includes(name.text) ? [[`without ${name.text} in`, expression.expression.getText()]] : [];
}

/** Elements each; what is assigned to has none. */
function ofList({ elements, parent }: ts.ArrayLiteralExpression): readonly Weaker[] {
  if (elements.length < 2 || (ts.isBinaryExpression(parent) && parent.operatorToken.kind === K.EqualsToken)) return [];
  return elements.map((element, at) => {
    const before = elements[at - 1];
    const start = before === undefined ? element.getStart() : before.end;
    const end = before === undefined ? (elements[1] as ts.Expression).getStart() : element.end;
    return [`without ${element.getText()} in`, '', { start, end }];
  });
}

function ofLiteral(node: ts.Node): readonly Weaker[] {
  if (node.kind === K.TrueKeyword) return [['false for', 'false']];
  if (node.kind === K.FalseKeyword) return [['true for', 'true']];
  if (ts.isNumericLiteral(node))
    return isValue(node) && !isOrder(node) ? [['one more than', `(${node.text} + 1)`]] : [];
  if (ts.isStringLiteral(node) && node.text !== '' && isValue(node))
    return [['another text than', JSON.stringify(`${node.text}x`)]];
  if (!ts.isRegularExpressionLiteral(node)) return [];
  const { text } = node;
  const made: Weaker[] = [];
  if (text.startsWith('/^')) made.push(['without the anchor of', `/${text.slice(2)}`]);
  if (/(?<!\\)\$\/[a-z]*$/.test(text)) made.push(['without the end of', text.replace(/\$(\/[a-z]*)$/, '$1')]);
  return made;
}

/** What says which of two comes first, "a < b ? -1 : 1": its sign counts alone. */
function isOrder(node: ts.NumericLiteral): boolean {
  const signed = ts.isPrefixUnaryExpression(node.parent) ? node.parent : node;
  const { parent } = signed;
  return (
    ts.isConditionalExpression(parent) &&
    [parent.whenTrue, parent.whenFalse].every((one) => one.getText() === '1' || one.getText() === '-1')
  );
}

/** No name of a property. */
const isValue = (node: ts.Node): boolean => !(ts.isPropertyAssignment(node.parent) && node.parent.name === node);
