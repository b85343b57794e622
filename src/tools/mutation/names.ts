/** Names of weakenings of compiled code, the same wherever in the file their place stands. */
import ts from 'typescript';

/** Characters of the place that a name quotes. */
const QUOTED = 100;

/** `file`: "authorization/access.js". Gives "authorization/access.js, "none of these is allowed:": without …". */
export function namesIn(file: string): (node: ts.Node, how: string) => string {
  const times = new Map<string, number>();
  return (node, how) => {
    const said = node.getText().replace(/\s+/g, ' ');
    const name = `${file}, ${placeOf(node)}: ${how} ${said.length > QUOTED ? `${said.slice(0, QUOTED)}…` : said}`;
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : `${name} (${time})`;
  };
}

/** The sentence of the step, the function or the method that a node stands in. */
function placeOf(node: ts.Node): string {
  for (let up: ts.Node | undefined = node.parent; up !== undefined; up = up.parent) {
    if (ts.isCallExpression(up) && /^(?:Given|When|Then)$/.test(up.expression.getText())) {
      const [sentence] = up.arguments;
      if (sentence !== undefined) return sentence.getText();
    }
    if (
      ts.isFunctionDeclaration(up) ||
      ts.isMethodDeclaration(up) ||
      (ts.isVariableDeclaration(up) && ts.isSourceFile(up.parent.parent.parent))
    )
      return up.name?.getText() ?? 'a function';
  }
  return 'the module';
}
