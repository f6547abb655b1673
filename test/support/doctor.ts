import type { DatabasePool } from '../../src/db/pool.ts'
import { examine } from '../../src/doctor/examine.ts'
import type { Finding } from '../../src/doctor/finding.ts'

/** All that the doctor finds in a school, notices included, and in what belongs to no school. */
export async function findingsIn(db: DatabasePool, tenantId?: string): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  await examine(db, { tenantId, onFinding: (finding) => findings.push(finding) })
  return findings
}
