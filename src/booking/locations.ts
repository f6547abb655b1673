import type { Actor } from '../contract/actor.ts'
import { isUuid } from '../contract/formats.ts'
import type { Location, LocationChange, NewLocation } from '../contract/location.ts'
import { newId } from '../contract/new-id.ts'
import { invalidRequest, notFound, Problem } from '../contract/problem.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { isLocationUsed, LOCATIONS, lockLocations, type StoredLocation } from '../db/locations.ts'
import { insertRow, updateRow } from '../db/resource-rows.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { MAX_LOCATIONS } from '../domain/ranges.ts'
import { localNow } from '../domain/time-zone.ts'
import { deletion } from './deletion.ts'
import { type Intent, requireExpected } from './expected-version.ts'
import { commitOnce } from './idempotent.ts'

type Locations = ReadonlyMap<string, StoredLocation>
type Travel = Location['travel_minutes']

const TOO_MANY = {
  pointer: '',
  code: 'too_many',
  detail: `A school has at most ${MAX_LOCATIONS} locations.`,
} as const

export function isFull(all: Locations): boolean {
  return [...all.values()].filter(({ deleted }) => !deleted).length >= MAX_LOCATIONS
}

/** Adds a location. Throws `invalid_request`, and `not_found` for a travel time to an unknown one. Fails if the key is taken. */
export async function addLocation(
  database: DatabasePool,
  actor: Actor,
  { name, address = null, travel_minutes = {} }: NewLocation,
  key?: IdempotencyKey,
): Promise<Location> {
  return inTransaction(database, async (db, commitWith) => {
    const all = await lockLocations(db, actor.tenant.id)
    if (isFull(all)) throw invalidRequest([TOO_MANY])
    const location = { id: newId(), name, address, travel_minutes: waysOf(travel_minutes, all) }
    const stored = insertRow(db, actor, LOCATIONS, location)
    const made = stored.then(async (one) => {
      await mirrorWays(db, actor, all, location)
      return one
    })
    return commitOnce({ db, actor, commitWith }, key, made)
  })
}

/** Changes a location, and its travel times at the other locations. Throws `not_found`, `stale` and `invalid_request`. */
export async function changeLocation(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: Intent<LocationChange>,
): Promise<Location> {
  return inTransaction(database, async (db) => {
    const all = await lockLocations(db, actor.tenant.id)
    const stored = requireLocation(all, id)
    const { travel_minutes: wanted, ...others } = change
    const travel_minutes = wanted ? waysOf(wanted, all, id) : stored.travel_minutes
    requireExpected(isExpected, stored)
    const next = { ...stored, ...others, travel_minutes }
    const changed = await updateRow(db, actor, LOCATIONS, { stored, next })
    if (wanted) await mirrorWays(db, actor, all, next)
    return changed
  })
}

/** Deletes a location and its travel times. Throws `not_found`, `stale`, and `in_use` if an instructor, vehicle or coming lesson has it. */
export const deleteLocation = deletion(
  async (db, actor, id) => (await lockLocations(db, actor.tenant.id)).get(id),
  deleteLockedLocation,
)

export async function deleteLockedLocation(
  db: Transaction,
  actor: Actor,
  stored: StoredLocation,
): Promise<void> {
  const after = localNow(actor.now, actor.tenant.timezone)
  if (await isLocationUsed(db, actor.tenant.id, { id: stored.id, after })) throw new Problem('in_use')
  const all = await lockLocations(db, actor.tenant.id)
  await mirrorWays(db, actor, all, { id: stored.id, travel_minutes: {} })
  await updateRow(db, actor, LOCATIONS, { stored, next: { ...stored, deleted: true } })
}

/** Removes travel times to deleted locations from a locked one, and copies the others to the locations at their other ends. */
export async function mirrorTravelTimes(db: Transaction, actor: Actor, id: string): Promise<void> {
  const all = await lockLocations(db, actor.tenant.id)
  const stored = requireLocation(all, id)
  const isStanding = ([other]: readonly [string, number]) => all.get(other)?.deleted === false
  const travel_minutes = Object.fromEntries(Object.entries(stored.travel_minutes).filter(isStanding))
  const next = { ...stored, travel_minutes }
  await updateRow(db, actor, LOCATIONS, { stored, next })
  await mirrorWays(db, actor, all, next)
}

function requireLocation(all: Locations, id: string): StoredLocation {
  const stored = all.get(id)
  if (!stored || stored.deleted) throw notFound()
  return stored
}

/** Returns the travel times as stored, sorted by id. Throws `invalid_request`, then `not_found`. */
function waysOf(given: Travel, all: Locations, self?: string): Travel {
  const faults = Object.keys(given).flatMap((id) => {
    const pointer = `/travel_minutes/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!isUuid(id)) return [{ pointer, code: 'invalid_format', detail: 'It must be the id of a location.' }]
    if (id.toLowerCase() !== self) return []
    return [{ pointer, code: 'not_allowed', detail: 'travel_minutes must not name the location itself.' }]
  })
  if (faults.length > 0) throw invalidRequest(faults)
  const ways = Object.entries(given).map(([id, minutes]) => [id.toLowerCase(), minutes] as const)
  for (const [id] of ways) requireLocation(all, id)
  return Object.fromEntries(ways.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function mirrorWays(
  db: Transaction,
  actor: Actor,
  all: Locations,
  { id, travel_minutes }: Pick<Location, 'id' | 'travel_minutes'>,
): Promise<void> {
  for (const stored of all.values()) {
    const minutes = travel_minutes[stored.id]
    if (stored.id === id || stored.deleted || stored.travel_minutes[id] === minutes) continue
    const { [id]: _, ...others } = stored.travel_minutes
    const ways = Object.entries({ ...others, ...(minutes !== undefined && { [id]: minutes }) })
    const mirrored = Object.fromEntries(ways.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await updateRow(db, actor, LOCATIONS, { stored, next: { ...stored, travel_minutes: mirrored } })
  }
}
