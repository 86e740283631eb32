import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import { createApiKey } from '@astropelago/contract/api-keys'
import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import type { TestApp, TestBrowser } from './create-test-app.ts'

/** Makes an API key through the API. */
export async function createTestApiKey(
  { inject }: TestBrowser,
  scopes: readonly ApiKeyScope[] = ['devices:read', 'devices:write'],
  expiresInDays: number | null = null,
) {
  const payload = { name: 'Provisioning', scopes, expiresInDays }
  const response = await inject({ method: 'POST', url: createApiKey.path, payload })
  if (response.statusCode !== 201) throw new Error(`No API key: ${response.body}`)
  return v.parse(createApiKey.answers[201], response.json())
}

/** Calls like a program, with a key and without a cookie. */
export function injectByKey({ inject }: Pick<TestApp, 'inject'>, key: string) {
  return (options: InjectOptions) =>
    inject({ ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } })
}
