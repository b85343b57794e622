/** Protocol buffers as Kubernetes speaks them: see decode.ts, encode.ts; messages.json holds the numbers. */
export { decodeProtobuf, ProtobufError } from './decode.js';
export { encodeProtobuf, encodeWatchEvent } from './encode.js';
