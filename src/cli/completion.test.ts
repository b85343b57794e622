import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { completion } from './completion-scripts.js';
import { programOf } from './main.js';

const program = await programOf(['completion'], () => {});

/** What bash offers behind these words. */
const offered = (...words: readonly string[]): readonly string[] =>
  execFileSync('bash', ['--norc', '-s'], {
    input: `compopt() { echo "compopt $*"; }
${completion('bash', program)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _joinproof
printf '%s\\n' "\${COMPREPLY[@]}"`,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line !== '');

describe('the completion of bash', () => {
  it('offers commands, options and values', () => {
    assert.deepEqual(offered('joinproof', 'ru'), ['run', 'rules']);
    assert.deepEqual(offered('joinproof', 'run', '--kube'), ['--kubeconfig', '--kubeadm', '--kubelet']);
    assert.deepEqual(offered('joinproof', 'run', '--level', 'S'), ['SHOULD']);
    assert.deepEqual(offered('joinproof', 'run', '--rule', 'TOK-001'), ['TOK-001']);
    assert.deepEqual(offered('joinproof', 'run', '--out', 'sar'), ['compopt -o nospace', 'sarif=']);
    assert.deepEqual(offered('joinproof', 'run', '--fail-on', 'SHOULD'), ['SHOULD']);
    assert.deepEqual(offered('joinproof', 'run', '--chapter', 'pinn'), ['pinning']);
    assert.deepEqual(offered('joinproof', 'run', '--require', 'writes'), ['writes']);
    assert.deepEqual(offered('joinproof', 'hel'), ['help']);
    assert.deepEqual(offered('joinproof', 'help', 'swe'), ['sweep']);
    assert.deepEqual(offered('joinproof', '--'), ['--help', '--version']);
    assert.deepEqual(offered('joinproof', 'serve', '--he'), ['--help']);
    assert.deepEqual(offered('joinproof', 'explain', 'LIM-003'), ['LIM-003']);
    assert.deepEqual(offered('joinproof', 'completion', 'f'), ['fish']);
  });

  it('leaves files to the shell', () => {
    assert.deepEqual(offered('joinproof', 'run', '--kubeconfig', 'a'), []);
  });
});

describe('the completions of zsh and fish', () => {
  it('quote what is said of a command and of an option', () => {
    const own = new Command('joinproof');
    own.command('own').description("a node's, \\ and [all]").option('--all', "what's \\ there");
    const quoted = [...completion('fish', own).matchAll(/-d ('(?:[^'\\]|\\.)*')$/gm)].map(([, text]) => text);
    assert.deepEqual(quoted.slice(0, 2), ["'a node\\'s, \\\\ and [all]'", "'what\\'s \\\\ there'"]);
    // a shell reads it as it stands
    execFileSync('bash', ['-n'], { input: completion('zsh', own) });
  });

  it('name every command and every option', () => {
    for (const shell of ['zsh', 'fish'] as const) {
      const script = completion(shell, program);
      for (const command of program.commands) {
        assert.ok(script.includes(command.name()));
        for (const { long } of command.options)
          assert.ok(script.includes(shell === 'fish' ? `-l ${long?.slice(2)}` : `*${long}[`), `${shell} ${long}`);
      }
    }
  });
});
