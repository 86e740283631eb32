import type { FastifyInstance } from 'fastify'
import {
  createTestApp,
  shareTestApp,
  type TestApp,
  type TestAppOptions,
  type TestBrowser,
} from './create-test-app.ts'

/** Lower-case names. Each test that shares a server adds its own operator. */
const operators = new Set(['captain'])
/** Of a server that tests share and that has operators. */
export const operatorOptions: TestAppOptions = { config: { operators } }

const captains = new WeakMap<FastifyInstance, Promise<TestBrowser>>()

/** A test server with a signed-in operator. */
export async function createOperatorApp(options: TestAppOptions = {}) {
  const config = { ...options.config, ...operatorOptions.config }
  const testApp = await createTestApp({ ...options, config })
  return { ...testApp, operator: await operatorOf(testApp) }
}

/** A server that the tests of a file share, with a signed-in operator for one test. */
export async function shareOperatorApp(options = operatorOptions) {
  const testApp = await shareTestApp(options)
  const operator = await testApp.signUp()
  operators.add(operator.username)
  return { ...testApp, operator }
}

/** The signed-in operator of a server with `operatorOptions`: one for all tests that share it. */
export function operatorOf({ app, signUp }: Pick<TestApp, 'app' | 'signUp'>): Promise<TestBrowser> {
  const known = captains.get(app)
  if (known !== undefined) return known
  const made = signUp('Captain')
  captains.set(app, made)
  return made
}
