import type { Actor } from '../../contract/actor.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Location, LocationChange, NewLocation } from '../../contract/location.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import { countRows, updateRow } from '../../db/resource-rows.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { isLocationUsed, LOCATIONS, lockLocations, type StoredLocation } from '../../db/school/locations.ts'
import { lockTenant } from '../../db/school/tenants.ts'
import { MAX_LOCATIONS } from '../../domain/ranges.ts'
import { localNow } from '../../domain/time-zone.ts'
import { adding, changing, deleting, type ManagedResource } from '../managed-resource.ts'

type Locations = ReadonlyMap<string, StoredLocation>
type Travel = Location['travel_minutes']

export const MANAGED_LOCATIONS: ManagedResource<Location> = {
  rows: LOCATIONS,
  limit: {
    detail: `A school has at most ${MAX_LOCATIONS} locations.`,
    isReached: async (db, { tenant }) => (await countRows(db, tenant.id, LOCATIONS)) >= MAX_LOCATIONS,
  },
  lock: (db, { tenant }) => lockTenant(db, tenant.id),
  accepted: async (db, { tenant }, { travel_minutes, ...given }, stored) => {
    if (!travel_minutes) return given
    const all = await lockLocations(db, tenant.id)
    return { ...given, travel_minutes: storedTravelMinutes(travel_minutes, all, stored?.id) }
  },
  acceptedAgain: async (_db, _actor, given) => given,
  requireUnused: async (db, { tenant, now }, { id }) => {
    const after = localNow(now, tenant.timezone)
    if (await isLocationUsed(db, tenant.id, { id, after })) throw new Problem('in_use')
  },
  // A travel time is stored at both ends.
  afterWrite: async (db, actor, next, stored) => {
    const isSame = stored?.travel_minutes === next.travel_minutes && !next.deleted
    if (!isSame) await mirrorTravelTimes(db, actor, next)
  },
  afterUndo: async (db, actor, ids) => {
    for (const id of ids) await mirrorRemainingTravelTimes(db, actor, id)
  },
}

export const addLocation = adding<Location, NewLocation>(MANAGED_LOCATIONS)
export const changeLocation = changing<Location, LocationChange>(MANAGED_LOCATIONS)
export const deleteLocation = deleting(MANAGED_LOCATIONS)

/** Removes travel times to deleted locations from a locked one, and copies the others to the locations at their other ends. */
async function mirrorRemainingTravelTimes(db: Transaction, actor: Actor, id: string): Promise<void> {
  const all = await lockLocations(db, actor.tenant.id)
  const stored = all.get(id)
  if (!stored || stored.deleted) return stored && mirrorTravelTimes(db, actor, stored)
  const isStanding = ([other]: readonly [string, number]) => all.get(other)?.deleted === false
  const travel_minutes = Object.fromEntries(Object.entries(stored.travel_minutes).filter(isStanding))
  const next = { ...stored, travel_minutes }
  await updateRow(db, actor, LOCATIONS, { stored, next })
  await mirrorTravelTimes(db, actor, next)
}

/** Returns the travel times as stored, sorted by id. Throws `invalid_request`, then `not_found`. */
function storedTravelMinutes(given: Travel, all: Locations, self?: string): Travel {
  const faults = Object.keys(given).flatMap((id) => {
    const pointer = `/travel_minutes/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!isUuid(id)) return [{ pointer, code: 'invalid_format', detail: 'It must be the id of a location.' }]
    if (id.toLowerCase() !== self) return []
    return [{ pointer, code: 'not_allowed', detail: 'travel_minutes must not name the location itself.' }]
  })
  if (faults.length > 0) throw invalidRequest(faults)
  const entries = Object.entries(given).map(([id, minutes]) => [id.toLowerCase(), minutes] as const)
  if (entries.some(([id]) => all.get(id)?.deleted !== false)) throw notFound()
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function mirrorTravelTimes(
  db: Transaction,
  actor: Actor,
  { id, deleted, travel_minutes }: Pick<StoredLocation, 'id' | 'deleted' | 'travel_minutes'>,
): Promise<void> {
  for (const stored of (await lockLocations(db, actor.tenant.id)).values()) {
    const minutes = deleted ? undefined : travel_minutes[stored.id]
    if (stored.id === id || stored.deleted || stored.travel_minutes[id] === minutes) continue
    const { [id]: _, ...others } = stored.travel_minutes
    const entries = Object.entries({ ...others, ...(minutes !== undefined && { [id]: minutes }) })
    const mirrored = Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await updateRow(db, actor, LOCATIONS, { stored, next: { ...stored, travel_minutes: mirrored } })
  }
}
