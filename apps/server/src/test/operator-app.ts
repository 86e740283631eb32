import { createTestApp, type TestAppOptions } from './create-test-app.ts'

/** A test server with a signed-in operator. */
export async function createOperatorApp(options: TestAppOptions = {}) {
  const config = { ...options.config, operators: new Set(['captain']) }
  const testApp = await createTestApp({ ...options, config })
  return { ...testApp, operator: await testApp.signUp('Captain') }
}
