import type { QueryClient } from '@tanstack/react-query'
import type { Location, LocationChange, NewLocation } from '../../contract/location.ts'
import { ask } from './ask.ts'
import { locationList } from './location-list.ts'
import { readAnew } from './patch-read.ts'
import { askOnce, type Writing } from './write-queue.ts'

const PATH = '/locations'

/** Throws `ApiProblem` or `Unreachable`. */
export async function addLocation(location: NewLocation, { client }: Writing): Promise<void> {
  await askOnce(PATH, location)
  await readLocationsAnew(client)
}

type Edit = { readonly seen: Location; readonly change: LocationChange }

/** Changes a location, and the ways of others to it, unless it has changed. Throws `ApiProblem` or `Unreachable`. */
export async function changeLocation({ seen, change }: Edit, { client }: Writing): Promise<void> {
  await writeTo(seen, { method: 'PATCH', body: change }, client)
}

/** Deletes a location unless it has changed. Throws `ApiProblem` or `Unreachable`. */
export async function deleteLocation(seen: Location, { client }: Writing): Promise<void> {
  await writeTo(seen, { method: 'DELETE' }, client)
}

type Request = { readonly method: 'PATCH' | 'DELETE'; readonly body?: LocationChange }

async function writeTo({ id, version }: Location, request: Request, client: QueryClient): Promise<void> {
  try {
    await ask(`${PATH}/${id}`, { ...request, headers: { 'if-match': `"${version}"` } })
  } finally {
    await readLocationsAnew(client)
  }
}

/** Reads all: a change of one may have changed the ways of others. */
function readLocationsAnew(client: QueryClient): Promise<void> {
  return readAnew(client, { queryKey: locationList.queryKey })
}
