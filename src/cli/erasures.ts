import { readFile } from 'node:fs/promises'
import { eraseAgain } from '../booking/students/erase-again.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { listTenants } from '../db/school/tenants.ts'
import { type KnownErasure, listErasures } from '../db/students/erasures.ts'
import { CommandFailure, type DataCommand, DoneInPart, type Terminal } from './command.ts'
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
      for (const erasure of await listErasures(db, id)) terminal.out(lineOf(erasure))
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
    requireAll(await repeatErasures(db, await readErasures(requireFile(file)), terminal))
  },
}

/** Erases students again and prints their numbers, and the lines of those on hold. Returns the number of these. */
export async function repeatErasures(
  db: DatabasePool,
  erasures: readonly KnownErasure[],
  terminal: Pick<Terminal, 'out'>,
) {
  const { erased, restricted, on_hold } = await eraseAgain(db, erasures, new Date())
  terminal.out(`Erased ${countText(erased, 'student')} again; of ${restricted} only the record stays.`)
  for (const erasure of on_hold) terminal.out(`  on hold  ${lineOf(erasure)}`)
  return on_hold.length
}

/** Throws `DoneInPart` if students on hold were not erased. */
export function requireAll(onHold: number): void {
  if (onHold > 0)
    throw new DoneInPart(
      `${countText(onHold, 'student')} on hold not erased. End the holds, then pass the lines above to student erase-again.`,
    )
}

function lineOf({ tenant_id, student_id, state }: KnownErasure): string {
  return `${tenant_id} ${student_id} ${state}`
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
