/** OpenAPI documents, made from the definitions. */
import type { ApiResponse } from './http.js';
import type { Machinery } from './machinery.js';
import type { Routes } from './routes.js';

export function openapi(_machinery: Machinery, _routes: Routes, _parts: readonly string[], _accept: string): ApiResponse | 'none' {
  return 'none';
}
