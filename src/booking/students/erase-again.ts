import type { DatabasePool } from '../../db/connection/pool.ts'
import { listTenants } from '../../db/school/tenants.ts'
import type { KnownErasure } from '../../db/students/erasures.ts'
import { readRestriction } from '../../db/students/restrictions.ts'
import { commandActor } from '../command-actor.ts'
import { eraseStudent } from './erase-student.ts'

const COMMAND = 'student erase-again'

type RepeatedErasures = {
  readonly erased: number
  readonly restricted: number
  /** The students on hold, who stay. */
  readonly on_hold: readonly KnownErasure[]
}

/** Erases students whom a restored backup has brought back, and mentions of them. Needs the role that owns the tables. */
export async function eraseAgain(
  database: DatabasePool,
  erasures: readonly KnownErasure[],
  now: Date,
): Promise<RepeatedErasures> {
  const schools = new Map((await listTenants(database)).map((tenant) => [tenant.id, tenant]))
  const done = { erased: 0, restricted: 0, on_hold: [] as KnownErasure[] }
  // A student who was restricted first and erased later is listed twice.
  const wholly = new Set(erasures.filter(({ state }) => state === 'erased').map(keyOf))
  for (const erasure of erasures) {
    const { tenant_id, student_id, state } = erasure
    const tenant = schools.get(tenant_id)
    const stored = tenant && (await readRestriction(database, tenant_id, student_id))
    if (!stored || (state === 'restricted' && (stored.is_restricted || wholly.has(keyOf(erasure))))) continue
    const { outcome } = await eraseStudent(database, commandActor(COMMAND, tenant, now), student_id, {
      isAgreed: true,
      hides: true,
      ...(state === 'restricted' && { reason: COMMAND }),
    })
    if (outcome === 'on_hold') done.on_hold.push(erasure)
    else if (outcome === 'erased' || outcome === 'restricted') done[outcome] += 1
  }
  return done
}

function keyOf({ tenant_id, student_id }: KnownErasure): string {
  return `${tenant_id} ${student_id}`
}
