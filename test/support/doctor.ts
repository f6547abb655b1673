import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { inLongSnapshot } from '../../src/db/connection/transaction.ts'
import { examine, examineSchool } from '../../src/doctor/examine.ts'
import { type Finding, findingFor } from '../../src/doctor/finding.ts'
import { checkSessions } from '../../src/doctor/session-check.ts'

/** Returns the doctor's findings in a school, notices included, and in data of no school. */
export async function findingsIn(db: DatabasePool, tenantId?: string): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  await examine(db, { tenantId, onFinding: (finding) => findings.push(finding) })
  return findings
}

/** Returns the doctor's findings in one school only, notices included. Does not examine the schema and the indexes. */
export async function findingsInSchool(db: DatabasePool, tenantId: string): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const report = (...found: Parameters<typeof findingFor>) => findings.push(findingFor(...found))
  await inLongSnapshot(db, async (snapshot) => {
    await checkSessions(snapshot, tenantId, report)
    await examineSchool(snapshot, tenantId, { report, onRead: () => undefined })
  })
  return findings
}

/** Returns the doctor's findings outside all schools: in the schema, the indexes and stray rows. */
export async function findingsInNoSchool(db: DatabasePool): Promise<readonly Finding[]> {
  return findingsIn(db, NO_SCHOOL)
}

const NO_SCHOOL = '00000000-0000-0000-0000-000000000000'
