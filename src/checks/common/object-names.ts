/** Names that objects may have. Source: RFC 1123; apimachinery, pkg/util/validation IsDNS1123Label and IsDNS1123Subdomain. */
import { text } from '../../kubernetes/json.js';

export const isLabel = (name: unknown): boolean => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(text(name));
export const isSubdomain = (name: string): boolean => name.length <= 253 && name.split('.').every(isLabel);
