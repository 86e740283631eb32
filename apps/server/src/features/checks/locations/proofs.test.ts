import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ProbedTarget } from '../probe.ts'
import type { LocationsStore, Proof } from './locations-store.ts'
import { placeOf } from '../../../outgoing/place.ts'
import { createProofs, proofMs, proofTargets } from './proofs.ts'

const written = (targets: readonly ProbedTarget[]) =>
  targets.map((target) => ('url' in target ? target.url : 'host' in target ? target.host : ''))
const tcp = (host: string, port: number): ProbedTarget => ({
  kind: 'tcp',
  host,
  port,
  periodS: 60,
  timeoutS: 10,
})

test.each([
  [
    tcp('a.example', 22),
    [
      'https://a.example/.well-known/astropelago-check',
      'http://a.example/.well-known/astropelago-check',
      '_astropelago-check.a.example',
    ],
  ],
  [
    tcp('a.example', 443),
    ['https://a.example/.well-known/astropelago-check', '_astropelago-check.a.example'],
  ],
  [tcp('2606::1', 80), ['http://[2606::1]/.well-known/astropelago-check']],
])('%j is proven there', (target, places) => {
  const targets = proofTargets(placeOf(target), 'a.example:22 code')
  expect(written(targets)).toEqual(places)
  expect(targets.every((one) => one.kind !== 'http' || !one.followsRedirects)).toBe(true)
})

function setUp(answering: ReadonlySet<string>) {
  let nowMs = 10 * proofMs
  const target = tcp('a.example', 22)
  let proof: Proof | undefined = {
    userKey: 1,
    place: 'a.example:22',
    code: 'code',
    provenMs: null,
    askedMs: null,
  }
  const store = {
    recordProof: async ({ provenMs }: Pick<Proof, 'provenMs'>, askedMs: number) => {
      if (proof !== undefined) proof = { ...proof, provenMs, askedMs }
    },
    deleteProof: async () => void (proof = undefined),
    listDue: async (beforeMs: number) =>
      proof !== undefined && (proof.askedMs ?? 0) <= beforeMs ? [proof] : [],
  } satisfies Partial<LocationsStore>
  let places = [placeOf(target)]
  const seen: string[] = []
  const proofs = createProofs({
    store,
    clock: () => nowMs,
    placesOf: async () => places,
    probe: async (asked) => {
      const [place = ''] = written([asked])
      seen.push(`${place} ${'text' in asked ? asked.text : 'value' in asked ? asked.value : ''}`)
      return answering.has(place)
        ? { isUp: true, tookMs: 1 }
        : { isUp: false, tookMs: null, note: 'no' }
    },
  })
  return {
    proofs,
    proof: () => proof,
    seen: () => seen.splice(0),
    setPlaces: (given: typeof places) => (places = given),
    pass: (ms: number) => (nowMs += ms),
    sweep: () => proofs.sweep(new AbortController().signal),
  }
}

test('one of the answers is enough, and has to have the place and the code', async () => {
  const answering = new Set(['_astropelago-check.a.example'])
  const { sweep, proof, seen, pass } = setUp(answering)
  await sweep()
  expect(proof()?.provenMs).toBe(10 * proofMs)
  expect(seen()).toHaveLength(3)
  await sweep()
  expect(seen()).toEqual([])
  // A failure leaves the proof until its end, which comes a day after the last answer.
  answering.clear()
  pass(proofMs / 2)
  await sweep()
  expect(seen()).toContain('_astropelago-check.a.example a.example:22 code')
  expect(proof()).toMatchObject({ provenMs: 10 * proofMs, askedMs: 10.5 * proofMs })
})

test('a place that no check looks at any more is forgotten', async () => {
  const { sweep, proof, seen, setPlaces } = setUp(new Set())
  setPlaces([placeOf(tcp('a.example', 23))])
  await sweep()
  expect(proof()).toBeUndefined()
  expect(seen()).toEqual([])
})

test('all that are due are asked in one sweep, 64 owners at a time', async () => {
  const places = Array.from({ length: 150 }, (_, at) => placeOf(tcp(`${at}.example`, 443)))
  const due = new Set(places.map(({ name }) => name))
  let running = 0
  let most = 0
  const proofs = createProofs({
    clock: () => 10 * proofMs,
    placesOf: async () => places,
    probe: async () => {
      running += 1
      most = Math.max(most, running)
      await setImmediate()
      running -= 1
      return { isUp: false, tookMs: null, note: 'no' }
    },
    store: {
      recordProof: async ({ place }) => void due.delete(place),
      deleteProof: async () => undefined,
      listDue: async (_, limit) =>
        [...due]
          .slice(0, limit)
          .map((place) => ({ userKey: 1, place, code: 'code', provenMs: null, askedMs: null })),
    },
  })
  await proofs.sweep(new AbortController().signal)
  expect(due.size).toBe(0)
  // Each owner has two ways to answer.
  expect(most).toBe(2 * 64)
})
