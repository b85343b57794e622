/** The files of deploy/ as far as they can be held without the programs that read them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { record, records, texts } from '../kubernetes/json.js';
import { FORMATS } from '../report/formats.js';
import { packageFile } from '../run/package-root.js';
import { runCommand } from './run.js';

const deploy = packageFile('deploy');
const files = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file));
const textOf = (file: string): string => readFileSync(path.join(deploy, file), 'utf8');
const options = new Set(runCommand(() => {}).options.flatMap(({ long }) => long ?? []));

/** Every Pod that an object makes. */
const podsOf = (object: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const spec = record(record(object).spec);
  const job = record(record(spec.jobTemplate).spec);
  return [record(record(spec.template).spec), record(record(job.template).spec)].filter(({ containers }) => containers);
};

describe('deploy', () => {
  it('holds YAML alone, and gives joinproof options and formats that it has', () => {
    assert.ok(files.length >= 7, files.join());
    for (const file of files) {
      for (const document of parseAllDocuments(textOf(file))) assert.deepEqual(document.errors, [], file);
      const commands = textOf(file).match(/\brun,? .*--.*$/gm) ?? [];
      for (const command of commands.flatMap((line) => line.match(/--[a-z][a-z-]+/g) ?? []))
        assert.ok(options.has(command) || command === '--plugin', `${file}: ${command}`);
      for (const [, format = ''] of textOf(file).matchAll(/--out,? ([a-z]+)=/g))
        assert.ok((FORMATS as readonly string[]).includes(format), `${file}: ${format}`);
    }
  });

  it('runs Pods that are nobody, write nowhere but to volumes, and hold no privileges', () => {
    const pods = files.flatMap((file) => parseAllDocuments(textOf(file)).flatMap((one) => podsOf(one.toJS())));
    assert.equal(pods.length, 3);
    for (const { securityContext, containers, serviceAccountName } of pods) {
      assert.equal(serviceAccountName, 'joinproof');
      const { runAsNonRoot, seccompProfile } = record(securityContext);
      assert.deepEqual([runAsNonRoot, record(seccompProfile).type], [true, 'RuntimeDefault']);
      for (const container of records(containers)) {
        const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = record(container.securityContext);
        assert.deepEqual([allowPrivilegeEscalation, readOnlyRootFilesystem], [false, true]);
        assert.deepEqual(texts(record(capabilities).drop), ['ALL']);
      }
    }
  });

  it('makes an image of what the package needs to run', () => {
    const image = readFileSync(path.join(deploy, 'Containerfile'), 'utf8');
    const last = image.slice(image.lastIndexOf('\nFROM '));
    for (const part of ['package.json', 'node_modules', 'dist', 'features', 'schemas'])
      assert.ok(last.includes(`/joinproof/${part} `), part);
    assert.match(last, /USER 65532/);
    const { runs } = record(parse(textOf('github/action.yml')));
    assert.equal(record(runs).using, 'composite');
  });
});
