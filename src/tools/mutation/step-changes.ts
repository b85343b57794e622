/**
 * Steps that can be weakened in one place while they run: compiled steps, every place of which asks whether it is the
 * one that is weakened now. Loaded once, they are each of their own mutants.
 */
import ts from 'typescript';
import { SWITCH } from '../../matrix/switch.js';
import { namesIn } from './names.js';

export interface StepChange {
  readonly id: number;
  /** "authorization/access.js, "none of these is allowed:": without this.check(…)", the same wherever it stands. */
  readonly name: string;
  /** What it weakens is decided while the module loads. */
  readonly atLoad: boolean;
}

export interface Instrumented {
  readonly text: string;
  readonly changes: readonly StepChange[];
}

/** `file`: "authorization/access.js"; `first`: the id of the first change. */
export function instrumented(file: string, text: string, first: number): Instrumented {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const changes: StepChange[] = [];
  const nameOf = namesIn(file);

  /** Registers a change at a node, and gives the expression that asks for it. */
  const isNow = (node: ts.Node, how: string): string => {
    const id = first + changes.length;
    changes.push({ id, name: nameOf(node, how), atLoad: functionAround(node) === undefined });
    return `globalThis.${SWITCH}.is(${id})`;
  };

  const printed = (node: ts.Node): string => wrapped(node, unfiltered(node, spliced(node)));

  /** The node's text, with that of its children printed. */
  const spliced = (node: ts.Node): string => {
    let [out, at] = ['', node.getStart(source)];
    ts.forEachChild(node, (child) => {
      const start = child.getStart(source);
      out += text.slice(at, start) + printed(child);
      at = child.getEnd();
    });
    return out + text.slice(at, node.getEnd());
  };

  const unfiltered = (node: ts.Node, inner: string): string => {
    if (!isFilter(node) || functionAround(node) === undefined) return inner;
    const list = node.expression.expression.getText(source);
    return `(${isNow(node, 'unfiltered')} ? (${list}) : (${inner}))`;
  };

  const wrapped = (node: ts.Node, inner: string): string => {
    if (ts.isImportDeclaration(node) || functionAround(node) === undefined) return atLoad(node, inner);
    // in braces: an else behind it belongs to the if before it
    if (ts.isExpressionStatement(node)) return `{ if (!${isNow(node, 'without')}) { ${inner} } }`;
    if (isCondition(node)) return `(${isNow(node, 'always')} ? true : ${isNow(node, 'never')} ? false : (${inner}))`;
    if (isListWalked(node)) return `(${isNow(node, 'only the first of')} ? [...(${inner})].slice(0, 1) : (${inner}))`;
    if (isOperand(node)) {
      const neutral = node.parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
      return `(${isNow(node, 'without the operand')} ? ${neutral} : (${inner}))`;
    }
    if (isDropped(node)) return dropped(node, inner);
    if (ts.isStringLiteral(node) && node.text !== '' && isParameter(node))
      return `(${isNow(node, 'empty instead of')} ? '' : ${inner})`;
    return inner;
  };

  /** Of what is decided while the module loads only lists are shortened. */
  const atLoad = (node: ts.Node, inner: string): string => (isDropped(node) ? dropped(node, inner) : inner);

  const dropped = (node: ts.Node, inner: string): string => {
    const [open, close] = ts.isObjectLiteralElement(node) ? ['{', '}'] : ['[', ']'];
    return `...(${isNow(node, 'without')} ? ${open}${close} : ${open}${inner}${close})`;
  };

  const out = spliced(source);
  return { text: text.slice(0, source.getStart(source)) + out, changes };
}

function functionAround(node: ts.Node): ts.Node | undefined {
  for (let up: ts.Node | undefined = node.parent; up !== undefined; up = up.parent)
    if (ts.isFunctionLike(up)) return up;
  return undefined;
}

const isCondition = (node: ts.Node): boolean => {
  const { parent } = node;
  return (
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node)
  );
};

/** What is iterated by for-of, forEach(world, list, …), list.map and list.flatMap. */
function isListWalked(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isForOfStatement(parent)) return parent.expression === node;
  if (ts.isCallExpression(parent)) return parent.expression.getText() === 'forEach' && parent.arguments[1] === node;
  return (
    ts.isPropertyAccessExpression(parent) &&
    parent.expression === node &&
    /^(?:map|flatMap)$/.test(parent.name.text) &&
    ts.isCallExpression(parent.parent) &&
    parent.parent.expression === parent
  );
}

const LOGICAL = [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken];
const isOperand = (node: ts.Node): node is ts.Node & { readonly parent: ts.BinaryExpression } =>
  ts.isBinaryExpression(node.parent) &&
  LOGICAL.includes(node.parent.operatorToken.kind) &&
  node !== node.parent.operatorToken;

/** Elements of lists; properties of what a check or a request is given. What is assigned to is neither. */
const isDropped = (node: ts.Node): boolean =>
  ((ts.isArrayLiteralExpression(node.parent) && !ts.isSpreadElement(node)) ||
    (ts.isObjectLiteralElement(node) && !ts.isSpreadAssignment(node) && functionAround(node) !== undefined)) &&
  !isAssignedTo(node.parent);

/** "[a, b] = c", also within another one. */
function isAssignedTo(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return (ts.isArrayLiteralExpression(parent) || ts.isPropertyAssignment(parent)) && isAssignedTo(parent);
}

const isFilter = (node: ts.Node): node is ts.CallExpression & { readonly expression: ts.PropertyAccessExpression } =>
  ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'filter';

/** Within what a check is asked with: the third of check(which, what, with). */
function isParameter(node: ts.Node): boolean {
  for (let up: ts.Node = node; up.parent !== undefined && !ts.isStatement(up); up = up.parent)
    if (ts.isCallExpression(up.parent) && /\.(?:check|grant)$/.test(up.parent.expression.getText()))
      return up.parent.arguments[2] === up;
  return false;
}
