import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { completion, startUpstream } from './features/spark/testing/llm-test-app.ts'
import { refusesAsOthers } from './test/contract-routes.ts'
import { createTestApp } from './test/create-test-app.ts'
import { FuzzedServer } from './test/fuzz/fuzzed-server.ts'
import { faultsOf, undocumented } from './test/fuzz/judge-answer.ts'
import { exemptAddresses, requestsOf } from './test/fuzz/requests.ts'

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 300)
/** The seed of a failed run draws the same requests again. */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** One has an operator, who may see and delete what belongs to the victim. */
const operators = ['fuzz-operator', undefined]

const options = { timeout: 30_000 + requests * 40 }

test('S39 S23 S20 S24 S31 S54 every answer to any input is a documented one', options, async () => {
  process.stdout.write(`${requests} fuzzed requests by FUZZ_SEED=${seed}\n`)
  const { baseUrl } = await startUpstream(completion())
  const { llm } = readConfig({ LLM_BASE_URL: baseUrl, LLM_MODELS: '*=llama3.2' })
  const config = { llm, limitExempt: exemptAddresses }
  const isTaken = new Map<string, boolean>()

  const fuzz = async (operator: string | undefined, number: number) => {
    const named = new Set(operator === undefined ? [] : [operator])
    const testApp = await createTestApp({ config: { ...config, operators: named } })
    const server = await FuzzedServer.start(testApp, operator)
    const secrets = operator === undefined ? server.secrets : server.secrets.slice(2)
    const before = await server.victimsThings()
    await fc.assert(
      fc.asyncProperty(fc.oneof(...server.operations.map(requestsOf)), async (request) => {
        const { answer, isOwn } = await server.send(request)
        const { operation, method } = request
        const faults = faultsOf(answer, secrets, method)
        const unsaid = isOwn ? undocumented(operation, answer) : []
        const { name, path } = operation
        const isOthers = answer.status >= 400 && refusesAsOthers(path)
        const allowed = isOthers ? ['refuses without a code', ...unsaid] : []
        expect([...faults, ...unsaid].filter((fault) => !allowed.includes(fault))).toEqual([])
        isTaken.set(name, isTaken.get(name) === true || (isOwn && answer.status < 400))
      }),
      { numRuns: requests / operators.length, seed: seed + number },
    )
    const after = operator === undefined ? await server.victimsThings() : before
    expect(after).toEqual(before)
    const log = testApp.logged()
    for (const secret of [...server.secrets, '"level":50']) expect(log).not.toContain(secret)
  }
  await Promise.all(operators.map(fuzz))

  const never = [...isTaken].filter(([, isOne]) => !isOne).map(([name]) => name)
  process.stdout.write(`Never taken: ${never.join(', ') || 'none'}\n`)
})
