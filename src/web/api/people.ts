import type { QueryClient } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { bootstrap } from './bootstrap.ts'

export type Kind = 'students' | 'instructors'

/** Puts what the service has answered into what bootstrap has read; a read under way is older than it. */
export async function storePerson<K extends Kind>(
  client: QueryClient,
  kind: K,
  person: Bootstrap[K][number],
): Promise<void> {
  await replacePerson(client, kind, person.id, [person])
}

export async function dropPerson(client: QueryClient, kind: Kind, id: string): Promise<void> {
  await replacePerson(client, kind, id, [])
}

async function replacePerson<K extends Kind>(
  client: QueryClient,
  kind: K,
  id: string,
  instead: readonly Bootstrap[K][number][],
): Promise<void> {
  await client.cancelQueries({ queryKey: bootstrap.queryKey })
  client.setQueryData(
    bootstrap.queryKey,
    (before) => before && { ...before, [kind]: [...before[kind].filter((one) => one.id !== id), ...instead] },
  )
  void client.invalidateQueries({ queryKey: bootstrap.queryKey })
}
