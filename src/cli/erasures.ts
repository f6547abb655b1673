import { readFile } from 'node:fs/promises'
import { eraseAgain, type RepeatedErasures } from '../booking/students/erase-again.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { listTenants } from '../db/school/tenants.ts'
import { type KnownErasure, listErasures } from '../db/students/erasures.ts'
import { CommandFailure, type DataCommand, type Terminal } from './command.ts'
import { countText } from './counts.ts'
import { requireFile } from './tenant-file.ts'

/** Prints ids only, so that the list can be kept beside backups. */
export const studentErasures: DataCommand = {
  kind: 'data',
  name: 'student erasures',
  summary: 'Print the ids of all erased students, to be erased again after a restore.',
  options: {},
  run: async ({ db, terminal }) => {
    for (const { id } of await listTenants(db)) {
      for (const { tenant_id, student_id, state } of await listErasures(db, id))
        terminal.out(`${tenant_id} ${student_id} ${state}`)
    }
  },
}

export const studentEraseAgain: DataCommand = {
  kind: 'data',
  name: 'student erase-again',
  asOwner: true,
  summary: 'Erase the students again whom a restored backup has brought back.',
  options: {
    in: { type: 'string', value: 'FILE', help: 'A list written by student erasures', required: true },
  },
  file: { option: 'in', mode: 'read' },
  run: async ({ db, terminal, file }) => {
    const { on_hold } = await repeatErasures(db, await readErasures(requireFile(file)), terminal)
    if (on_hold.length > 0)
      throw new CommandFailure('Students on hold were not erased. End their holds, then repeat the command.')
  },
}

/** Erases students again and prints their numbers, and the ids of those on hold. */
export async function repeatErasures(
  db: DatabasePool,
  erasures: readonly KnownErasure[],
  terminal: Pick<Terminal, 'out'>,
): Promise<RepeatedErasures> {
  const done = await eraseAgain(db, erasures, new Date())
  const { erased, restricted, on_hold } = done
  terminal.out(`Erased ${countText(erased, 'student')} again; of ${restricted} only the record stays.`)
  for (const id of on_hold) terminal.out(`  on hold  ${id}`)
  return done
}

const LINE =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (erased|restricted)$/

/** Reads a list of erased students. Throws a `CommandFailure` for a line that is none. */
export async function readErasures(path: string): Promise<readonly KnownErasure[]> {
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/)
  return lines.flatMap((line, index) => {
    if (line === '') return []
    const [, tenant_id, student_id, state] = LINE.exec(line) ?? []
    if (!tenant_id || !student_id) throw new CommandFailure(`Line ${index + 1} of the list is no erasure.`)
    return [{ tenant_id, student_id, state: state === 'erased' ? 'erased' : 'restricted' } as const]
  })
}
