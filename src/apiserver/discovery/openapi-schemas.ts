/** The schemas of an OpenAPI document. Source: kube-openapi, pkg/builder3; apimachinery, x-kubernetes-* extensions. */
import { goPackage } from '../go/type-name.js';
import type { FieldSchema } from '../resource-definition.js';

export type Document = Record<string, unknown>;

/** Package of schemas of custom resources. */
const APIEXTENSIONS = goPackage('apiextensions.k8s.io');

/** Names and writes the schemas of one document. */
export class Components {
  readonly schemas: Record<string, Document> = {};
  private readonly names = new Map<object, string>();
  constructor(
    private readonly prefix: string,
    private readonly wraps: boolean,
  ) {}

  /** A reference to a struct; written on first use. */
  struct(schema: FieldSchema, group: string, fallback: string): Document {
    const { properties = {} } = schema;
    let name = this.names.get(properties);
    if (name === undefined) {
      name = this.freeName(schema, group, fallback);
      this.names.set(properties, name);
      this.schemas[name] = {};
      this.schemas[name] = {
        ...(schema.description === undefined ? {} : { description: schema.description }),
        type: 'object',
        ...(schema.required === undefined || schema.required.length === 0 ? {} : { required: schema.required }),
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, inner]) => [key, this.field(inner, group)]),
        ),
        ...(schema.mapType === 'atomic' ? { 'x-kubernetes-map-type': 'atomic' } : {}),
      };
    }
    return { $ref: `${this.prefix}${name}` };
  }

  nameOf(schema: FieldSchema): string | undefined {
    return schema.properties === undefined ? undefined : this.names.get(schema.properties);
  }

  private freeName(schema: FieldSchema, group: string, fallback: string): string {
    const goType = schema.goType ?? fallback;
    const meta =
      goType === 'v1.ObjectMeta' ||
      goType === 'v1.OwnerReference' ||
      goType === 'v1.ManagedFieldsEntry' ||
      goType === 'v1.LabelSelector';
    const wanted = meta ? `io.k8s.apimachinery.pkg.apis.meta.${goType}` : `io.k8s.api.${group}.${goType}`;
    for (let attempt = 1; ; attempt += 1) {
      const name = attempt === 1 ? wanted : `${wanted}${attempt}`;
      if (!Object.hasOwn(this.schemas, name)) return name;
    }
  }

  private field(schema: FieldSchema, group: string): Document {
    const hints: Document = {
      ...(schema.description === undefined ? {} : { description: schema.description }),
      ...(schema.listType === undefined ? {} : { 'x-kubernetes-list-type': schema.listType }),
      ...(schema.mapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': schema.mapKeys }),
      ...(schema.patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': schema.patchMergeKey }),
      ...(schema.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': schema.patchStrategy }),
    };
    switch (schema.type) {
      case 'object': {
        if (schema.properties === undefined) return { ...hints, type: 'object' };
        const reference = this.struct(schema, group, 'Struct');
        return this.wraps ? { ...hints, allOf: [reference], default: {} } : { ...hints, ...reference };
      }
      case 'array':
        return { ...hints, type: 'array', items: this.field(schema.items ?? { type: 'any' }, group) };
      case 'map':
        return {
          ...hints,
          type: 'object',
          additionalProperties: this.field(schema.items ?? { type: 'string' }, group),
          ...(schema.mapType === 'atomic' ? { 'x-kubernetes-map-type': 'atomic' } : {}),
        };
      case 'int-or-string':
        if (schema.format === 'quantity')
          return this.wraps
            ? { ...hints, oneOf: [{ type: 'string' }, { type: 'number' }] }
            : { ...hints, type: 'string' };
        return this.wraps
          ? { ...hints, format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }
          : { ...hints, type: 'string', format: 'int-or-string' };
      case 'any':
        // Values of any type are there in schemas of custom resources alone; elsewhere it is an object of any kind. A
        // field of which nothing is said stops kubectl explain.
        return { ...hints, ...(group === APIEXTENSIONS ? { description: 'Any value of JSON.' } : { type: 'object' }) };
      default:
        return { ...hints, type: schema.type, ...(schema.format === undefined ? {} : { format: schema.format }) };
    }
  }
}
