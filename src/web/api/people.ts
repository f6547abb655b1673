import type { QueryClient } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { bootstrap } from './bootstrap.ts'
import { patchRead } from './patch-read.ts'

export type Kind = 'students' | 'instructors'

/** A person as bootstrap's lists have it now. */
export function readPerson<K extends Kind>(
  client: QueryClient,
  kind: K,
  id: string,
): Bootstrap[K][number] | undefined {
  return client.getQueryData(bootstrap.queryKey)?.[kind].find((one) => one.id === id)
}

/** Puts a person as the service has answered into bootstrap's lists. */
export function storePerson<K extends Kind>(
  client: QueryClient,
  kind: K,
  person: Bootstrap[K][number],
): Promise<void> {
  return replacePerson(client, kind, person.id, [person])
}

/** Takes a person who is no more out of bootstrap's lists. */
export function dropPerson(client: QueryClient, kind: Kind, id: string): Promise<void> {
  return replacePerson(client, kind, id, [])
}

function replacePerson<K extends Kind>(
  client: QueryClient,
  kind: K,
  id: string,
  instead: readonly Bootstrap[K][number][],
): Promise<void> {
  return patchRead<Bootstrap>(client, bootstrap.queryKey, (read) => ({
    ...read,
    [kind]: [...read[kind].filter((one) => one.id !== id), ...instead],
  }))
}
