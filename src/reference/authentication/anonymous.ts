/** Whoever brings nothing. Source: apiserver, pkg/authentication/request/anonymous/anonymous.go. */
import type { Decisions } from '../decisions.js';
import { type AskRequest, NO_OPINION } from './opinion.js';

/** `allowed`: --anonymous-auth; a list: only at these paths. */
export const byAnonymous =
  (allowed: boolean | readonly string[], decisions: Decisions): AskRequest =>
  ({ credentials: { path = '' }, audiences }) =>
    decisions.anonymousIsAnswered(allowed, path)
      ? { user: decisions.anonymousUser(), via: 'anonymous', audiences }
      : NO_OPINION;
