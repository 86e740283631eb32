import type { FastifyInstance } from 'fastify'
import {
  createTestApp,
  shareTestApp,
  type TestApp,
  type TestAppOptions,
  type TestBrowser,
} from './create-test-app.ts'

/** Of a server that tests share and that has an operator. */
export const operatorOptions: TestAppOptions = { config: { operators: new Set(['captain']) } }

const operators = new WeakMap<FastifyInstance, Promise<TestBrowser>>()

/** A test server with a signed-in operator. */
export async function createOperatorApp(options: TestAppOptions = {}) {
  const config = { ...options.config, ...operatorOptions.config }
  const testApp = await createTestApp({ ...options, config })
  return { ...testApp, operator: await operatorOf(testApp) }
}

/** The same, which all tests of a file share that call this with the same options. */
export async function shareOperatorApp(options = operatorOptions) {
  const testApp = await shareTestApp(options)
  return { ...testApp, operator: await operatorOf(testApp) }
}

/** The signed-in operator of a server with `operatorOptions`: one for all tests that share it. */
export function operatorOf({ app, signUp }: Pick<TestApp, 'app' | 'signUp'>): Promise<TestBrowser> {
  const known = operators.get(app)
  if (known !== undefined) return known
  const made = signUp('Captain')
  operators.set(app, made)
  return made
}
