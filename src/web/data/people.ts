import type { QueryClient } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { bootstrap } from './bootstrap.ts'
import { refetchComputed } from './computed.ts'
import type { Copies } from './copies.ts'
import { patchRead } from './patch-read.ts'

export type Kind = 'students' | 'instructors'

export function copiesOf<K extends Kind>(kind: K): Copies<Bootstrap[K][number]> {
  return {
    path: `/${kind}`,
    read: (client, id) => client.getQueryData(bootstrap.queryKey)?.[kind].find((one) => one.id === id),
    store: (client, person) => replacePerson(client, kind, person.id, [person]),
    drop: (client, id) => replacePerson(client, kind, id, []),
  }
}

async function replacePerson<K extends Kind>(
  client: QueryClient,
  kind: K,
  id: string,
  instead: readonly Bootstrap[K][number][],
): Promise<void> {
  await patchRead<Bootstrap>(client, bootstrap.queryKey, (read) => ({
    ...read,
    [kind]: [...read[kind].filter((one) => one.id !== id), ...instead],
  }))
  void refetchComputed(client)
}
