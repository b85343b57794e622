/** Defects of what reviews say besides yes and no. */
import { record, text } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { ANY, answering, type Fields, saying } from './answer-hooks.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

const isReview = ({ kind }: Fields): boolean => text(kind).endsWith('Review');

/** Its status is another one. */
const reviewed = (name: string, defect: string, change: (status: Fields) => Fields): Mutant =>
  saying(name, defect, ['P-564'], (body) =>
    text(body.kind).endsWith('AccessReview') && body.status !== undefined
      ? { ...body, status: change(record(body.status)) }
      : undefined,
  );

export const mutants: readonly Mutant[] = [
  saying('reviews-forget-what-was-asked', 'a review does not say what was asked', ['P-564'], (body) =>
    isReview(body) && body.spec !== undefined ? { ...body, spec: {} } : undefined,
  ),
  saying('reviews-forget-tokens', 'a review of a token does not say which', ['P-564'], (body) =>
    body.kind === 'TokenReview' ? { ...body, spec: {} } : undefined,
  ),
  answering(
    'reviews-of-no-token-answered',
    'a review of no token is answered',
    ['P-564'],
    [({ path }) => path.endsWith('/tokenreviews'), 400, { status: 201, body: { ...ANY, kind: 'TokenReview' } }],
  ),
  reviewed('reviews-without-reasons', 'a review does not say why', ({ reason: _, ...rest }) => rest),
  reviewed('reviews-allow-without-reasons', 'a review that allows does not say why', ({ reason, ...rest }) =>
    rest.allowed === true ? rest : { ...rest, reason },
  ),
  reviewed('reviews-always-have-reasons', 'a review says something where there is no reason', (status) => ({
    reason: 'not allowed',
    ...status,
  })),
  decides(
    'reviews-of-one-authorizer',
    'a review says why one authorizer does not let it, and not the next',
    ['P-564'],
    {
      authorizersTogether: (attributes, answers) => {
        const together = upstream.authorizersTogether(attributes, answers);
        return together.decision === 'no-opinion'
          ? { ...together, reason: together.reason.split('\n')[0] ?? '' }
          : together;
      },
    },
  ),
  decides('nodes-are-strangers-to-parts', 'a node is told of parts of Secrets as if there were some', ['P-564'], {
    nodeOnSecret: (question) =>
      upstream.nodeOnSecret({ ...question, attributes: { ...question.attributes, subresource: '' } }),
    nodeOnConfigMap: (question) =>
      upstream.nodeOnConfigMap({ ...question, attributes: { ...question.attributes, subresource: '' } }),
  }),
  decides('nodes-are-strangers-to-all', 'a node that lists what it may not is told of no relationship', ['P-564'], {
    nodeOnPod: (question) => {
      const said = upstream.nodeOnPod(question);
      return said === true || said === '' ? said : 'no relationship found';
    },
    nodeOnNode: (question) => {
      const said = upstream.nodeOnNode(question);
      return said === true || said === '' ? said : 'no relationship found';
    },
  }),
  decides('slices-have-parts', 'a node is told of parts of slices of devices as if there were some', ['P-564'], {
    nodeOnResourceSlice: (question) =>
      upstream.nodeOnResourceSlice({ ...question, attributes: { ...question.attributes, subresource: '' } }),
  }),
];
