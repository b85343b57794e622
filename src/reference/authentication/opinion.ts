/**
 * What the authenticators of a request have in common. Source: apiserver,
 * pkg/authentication/authenticator/interfaces.go.
 */
import type { AuthenticationResult, Credentials } from '../../apiserver/access.js';
import type { UserInfo } from '../../kubernetes/objects.js';

/**
 * A request to be identified. `audiences` are those wanted of a token; `now` in milliseconds; `warnings` collects texts
 * for Warning headers.
 */
export interface Presented {
  readonly credentials: Credentials;
  readonly audiences: readonly string[];
  readonly now: number;
  readonly warnings: string[];
}

/** One authenticator's word: a user, errors after which the others are still asked, or nothing. */
export type Opinion =
  | {
      readonly user: UserInfo;
      readonly via: Extract<AuthenticationResult, { kind: 'user' }>['via'];
      readonly audiences?: readonly string[];
    }
  | { readonly errors: readonly string[] };

export const NO_OPINION: Opinion = { errors: [] };

export type AskRequest = (presented: Presented) => Opinion;

/** What those who know tokens say of one. No user and no error: nobody knows it. */
export interface TokenAnswer {
  readonly user?: UserInfo;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

/** `now` in milliseconds. */
export type AskToken = (token: string, audiences: readonly string[], now: number) => TokenAnswer;
