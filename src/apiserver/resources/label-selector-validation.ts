/**
 * Label selectors inside objects. Source: apimachinery, pkg/apis/meta/v1/validation/validation.go
 * ValidateLabelSelector.
 */

import { list, record, records, text, textMap, texts } from '../../kubernetes/json.js';
import { at, child, forbiddenField, invalidEach, invalidValue, required } from '../machinery/field-errors.js';
import { validateLabels } from '../machinery/metadata-validation.js';
import { labelKey, labelValue } from '../machinery/name-rules.js';
import type { FieldError } from '../resource-definition.js';

export function validateLabelSelector(selector: unknown, field: string): FieldError[] {
  const { matchLabels, matchExpressions } = record(selector);
  const errors = validateLabels(textMap(matchLabels), child(field, 'matchLabels'));
  records(matchExpressions).forEach((expression, index) => {
    const path = at(child(field, 'matchExpressions'), index);
    const values = texts(expression.values);
    const operator = text(expression.operator);
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        errors.push(required(child(path, 'values'), "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (list(expression.values).length > 0)
        errors.push(
          forbiddenField(child(path, 'values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
    } else errors.push(invalidValue(child(path, 'operator'), operator, 'not a valid selector operator'));
    const key = text(expression.key);
    errors.push(...invalidEach(child(path, 'key'), key, labelKey(key)));
    values.forEach((value, position) => {
      errors.push(...invalidEach(at(child(path, 'values'), position), value, labelValue(value)));
    });
  });
  return errors;
}
