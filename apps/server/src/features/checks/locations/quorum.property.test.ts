import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/property-runs.ts'
import { CheckVotes } from './check-votes.ts'

const periodMs = 60_000
const ownerKey = 1
const locationCount = 7

/** What a location does in one period. */
const Behaviour = fc.constantFrom('honest', 'liar', 'silent', 'slow', 'cut')

const Period = fc.record({
  isTargetUp: fc.boolean(),
  server: fc.constantFrom('sees', 'sees', 'sees', 'blind'),
  behaviours: fc.array(Behaviour, { minLength: locationCount, maxLength: locationCount }),
})

/** Locations 0 and 1 are two agents of one user, and location 2 is one of the owner's. */
const userOf = (location: number) =>
  location === 1 ? 100 : location === 2 ? ownerKey : 100 + location

/** The plain model: everything that anybody has said, oldest first. */
interface Said {
  readonly location: number
  readonly isUp: boolean
  readonly atMs: number
}

/** The vote of each user: what the newest of their locations that counts said last. */
function modelVotes(said: readonly Said[], sinceMs: number): Map<number, boolean> {
  const votes = new Map<number, { readonly atMs: number; readonly isUp: boolean }>()
  for (let location = 0; location < locationCount; location += 1) {
    const user = userOf(location)
    const own = said.filter((one) => one.location === location)
    const last = own.at(-1)
    if (user === ownerKey || last === undefined || last.atMs < sinceMs) continue
    const isDown = !last.isUp && own.at(-2)?.isUp === false
    if (!isDown && !own.some(({ isUp }) => isUp)) continue
    const before = votes.get(user)
    if (before === undefined || before.atMs < last.atMs) {
      votes.set(user, { atMs: last.atMs, isUp: !isDown })
    }
  }
  return new Map([...votes].map(([user, { isUp }]) => [user, isUp]))
}

test('the quorum says what a plain model says: never down by fewer than it, never changed by fewer than half', () => {
  fc.assert(
    fc.property(fc.array(Period, { minLength: 3, maxLength: 20 }), (periods) => {
      const votes = new CheckVotes(ownerKey)
      /** What a location still remembers: after a whole period without a word, it begins anew. */
      let said: Said[] = []
      let serverFailures = 0
      for (const [index, { isTargetUp, server, behaviours }] of periods.entries()) {
        const startMs = (index + 1) * periodMs
        for (const [location, behaviour] of behaviours.entries()) {
          // A result that comes too late is refused before it gets here.
          if (behaviour !== 'honest' && behaviour !== 'liar') continue
          const isUp = behaviour === 'liar' ? !isTargetUp : isTargetUp
          const one = { location, isUp, atMs: startMs + location }
          said.push(one)
          votes.take({ locationKey: location + 1, userKey: userOf(location), ...one })
        }
        if (server === 'sees') serverFailures = isTargetUp ? 0 : serverFailures + 1
        const own = server === 'blind' ? 'unobserved' : serverFailures >= 2 ? 'down' : 'up'
        const nowMs = startMs + 100
        const sinceMs = nowMs - periodMs - 15_000
        const forgotten = new Set(
          behaviours.keys().filter((location) => {
            const last = said.findLast((one) => one.location === location)
            return last !== undefined && last.atMs < sinceMs
          }),
        )
        said = said.filter(({ location }) => !forgotten.has(location))
        const decision = votes.decide(own, { nowMs, periodMs })
        const all = [own === 'up', ...modelVotes(said, sinceMs).values()]
        const ups = all.filter(Boolean).length
        const downs = all.length - ups
        const isDecided = all.length >= 3 && ups !== downs
        const expected =
          own === 'unobserved'
            ? { status: own, voters: 0, unable: 0 }
            : {
                status: isDecided ? (ups > downs ? 'up' : 'down') : own,
                voters: all.length,
                unable: ups === 0 ? 0 : downs,
              }
        expect({
          status: decision.status,
          voters: decision.votes.length,
          unable: decision.unreachableFrom.length,
        }).toEqual(expected)
      }
    }),
    { numRuns: propertyRuns(300), endOnFailure: true },
  )
})

test('fewer than half of the voters can neither make nor hide an outage', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.integer({ min: 2, max: 12 }),
      fc.array(fc.nat({ max: 12 }), { maxLength: 12 }),
      (isUp, count, picked) => {
        // The server may be among the liars, as one voter of several.
        const most = Math.ceil((count + 1) / 2) - 1
        const liars = new Set(picked.filter((location) => location <= count).slice(0, most))
        const votes = new CheckVotes(ownerKey)
        for (const atMs of [1, 2]) {
          for (let location = 1; location <= count; location += 1) {
            const said = liars.has(location) ? !isUp : isUp
            votes.take({ locationKey: location, userKey: 100 + location, isUp: said, atMs })
          }
        }
        const server = liars.has(0) ? !isUp : isUp
        const decision = votes.decide(server ? 'up' : 'down', { nowMs: 3, periodMs })
        expect(decision.status).toBe(isUp ? 'up' : 'down')
      },
    ),
    { numRuns: 1000 },
  )
})
