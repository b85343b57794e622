/**
 * node-forge's DER module by itself: a third of the start-up time of the whole library. @types/node-forge describes
 * only the whole, and knows neither the options of fromDer nor that a type is any tag number.
 */
declare module 'node-forge/lib/asn1.js' {
  import type { asn1 as types } from 'node-forge';

  const asn1: Omit<typeof types, 'create' | 'fromDer'> & {
    create(tagClass: types.Class, type: number, constructed: boolean, value: string | types.Asn1[]): types.Asn1;
    fromDer(bytes: string, options: { strict: boolean; decodeBitStrings: boolean; parseAllBytes: boolean }): types.Asn1;
  };
  export default asn1;
}
