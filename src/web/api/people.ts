import type { QueryClient } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { bootstrap } from './bootstrap.ts'

type Kind = 'students' | 'instructors'
type Person = { readonly id: string; readonly last_name: string; readonly first_name: string }

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

async function replacePerson(client: QueryClient, kind: Kind, id: string, instead: readonly Person[]) {
  await client.cancelQueries({ queryKey: bootstrap.queryKey })
  client.setQueryData(
    bootstrap.queryKey,
    (before) =>
      before && {
        ...before,
        [kind]: [...(before[kind] as readonly Person[]).filter((one) => one.id !== id), ...instead].toSorted(
          byName,
        ),
      },
  )
  void client.invalidateQueries({ queryKey: bootstrap.queryKey })
}

function byName(a: Person, b: Person): number {
  const [first, second] = [a, b].map((one) => `${one.last_name}\u0000${one.first_name}\u0000${one.id}`)
  return (first ?? '') < (second ?? '') ? -1 : 1
}
