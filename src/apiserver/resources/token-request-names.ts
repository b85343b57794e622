/** What a TokenRequest may name. Source: pkg/registry/core/serviceaccount/storage/token.go. */
import type { ObjectMeta } from '../../kubernetes/objects.js';
import { badRequest, invalid } from '../machinery/errors.js';
import { invalidValue } from '../machinery/field-errors.js';

export const TOKEN_REQUEST = { group: 'authentication.k8s.io', kind: 'TokenRequest' } as const;

/** @throws ApiError where a request names another account than this one, whether that is there or not */
export function checkTokenNames({ name = '', namespace = '' }: ObjectMeta, account: string, placed: string): void {
  if (namespace !== '' && namespace !== placed)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (name !== '' && name !== account)
    throw invalid(TOKEN_REQUEST, account, [
      invalidValue('metadata.name', name, 'must match the service account name if specified'),
    ]);
}
