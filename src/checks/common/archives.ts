/**
 * What a text holds that is packed: in base64, by gzip, or both, as user data and charts are kept.
 * Source: RFC 1952; RFC 4648; cloud-init, user data formats and write_files; helm, pkg/storage/driver.
 */
import { constants, gunzipSync } from 'node:zlib';

const BASE64 = /^[A-Za-z0-9+/]{64,}={0,2}$/;
/** Of an archive, after it is unpacked. */
const UNPACKED = 1_048_576;

/** Files of an archive stand in it one behind the other; one that was cut off is read as far as it goes. */
function unpacked(value: string): string {
  const most = { maxOutputLength: UNPACKED, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return gunzipSync(Buffer.from(value, 'latin1'), most).toString('latin1');
  } catch {
    return '';
  }
}

/** Most texts are left at the first of these. */
const FOREIGN = /[^A-Za-z0-9+/=\s]/;
/** What all of a text is the base64 of; '' of any other. */
export const decodedWhole = (value: string): string =>
  !FOREIGN.test(value) && BASE64.test(value.replace(/\s/g, '')) ? Buffer.from(value, 'base64').toString('latin1') : '';

const isArchive = (value: string): boolean => value.startsWith('\x1f\x8b');

/** What a value is an archive of, or the base64 of one, as charts keep what they have installed; '' of any other. */
export function archivedIn(value: string, whole = decodedWhole(value)): string {
  const archive = [value, whole].find(isArchive);
  return archive === undefined ? '' : unpacked(archive);
}

/** The base64 of an archive, wherever it stands; it may be folded into lines, and the next line begin with a word. */
const PACKED = /H4sI[A-Za-z0-9+/=\s]{24,}/g;
/** Nothing shorter is an archive. */
const SHORTEST = 24;
/** Archives that are unpacked of one text. */
const MOST = 20;

const packedIn = (run: string): string => unpacked(Buffer.from(run, 'base64').toString('latin1'));

function withoutLastWord(run: string): string {
  const words = run.trimEnd();
  return words.slice(0, Math.max(0, words.lastIndexOf('\n'), words.lastIndexOf(' ')));
}

/** What a text holds that is not seen in it: what it is the base64 of, and what archives in it are unpacked to. */
export function wrappedIn(value: string): readonly string[] {
  if (value.length < SHORTEST) return [];
  const whole = decodedWhole(value);
  // what is the base64 of an archive as a whole is unpacked as that
  const inner = [isArchive(whole) ? '' : value, whole].flatMap((one) =>
    [...one.matchAll(PACKED)].slice(0, MOST).map(([run]) => packedIn(run) || packedIn(withoutLastWord(run))),
  );
  return [whole, archivedIn(value, whole), ...inner].filter((one) => one !== '');
}
