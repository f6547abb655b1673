import type { QueryClient } from '@tanstack/react-query'
import type { Location, LocationChange, NewLocation } from '../../contract/location.ts'
import { fetchApi } from './fetch-api.ts'
import { locationList } from './location-list.ts'
import { refetch } from './patch-read.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

const PATH = '/locations'

/** Throws `ApiProblem` or `Unreachable`. */
export async function addLocation(location: NewLocation, { client }: WriteContext): Promise<void> {
  await postOnce(PATH, location)
  await refetchLocations(client)
}

type Edit = {
  readonly id: string
  /** Returns the fields to send, given the latest row. */
  readonly changeOf: (latest: Location) => LocationChange
}

/**
 * Changes a location and the travel times to it. Starts from the cached list, because an earlier write may have changed the
 * travel times. Throws `ApiProblem` or `Unreachable`.
 */
export async function changeLocation({ id, changeOf }: Edit, { client }: WriteContext): Promise<void> {
  const latest = latestOf(id, client)
  const change = latest && changeOf(latest)
  if (change && Object.keys(change).length > 0)
    await writeTo(latest, { method: 'PATCH', body: change }, client)
}

/** Deletes a location unless another user has changed it. Throws `ApiProblem` or `Unreachable`. */
export async function deleteLocation(id: string, { client }: WriteContext): Promise<void> {
  const latest = latestOf(id, client)
  if (latest) await writeTo(latest, { method: 'DELETE' }, client)
}

function latestOf(id: string, client: QueryClient): Location | undefined {
  return client.getQueryData(locationList.queryKey)?.find((one) => one.id === id)
}

type Request = { readonly method: 'PATCH' | 'DELETE'; readonly body?: LocationChange }

async function writeTo({ id, version }: Location, request: Request, client: QueryClient): Promise<void> {
  try {
    await fetchApi(`${PATH}/${id}`, { ...request, headers: { 'if-match': `"${version}"` } })
  } finally {
    await refetchLocations(client)
  }
}

/** Refetches all locations: a change of one may have changed the travel times of others. */
function refetchLocations(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: locationList.queryKey })
}
