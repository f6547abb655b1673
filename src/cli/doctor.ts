import { damageIn } from '../db/upkeep/damage.ts'
import { databaseIn } from '../db/upkeep/data-dir.ts'
import { type ExaminedCounts, examine } from '../doctor/examine.ts'
import { type Finding, findingFor, isFault, isLegal } from '../doctor/finding.ts'
import { CommandFailure, type DataCommand, type DataContext, type Values } from './command.ts'
import { countText } from './counts.ts'
import { tenantIdOf } from './tenant-option.ts'

export const doctor: DataCommand = {
  kind: 'data',
  name: 'doctor',
  opensAsItIs: true,
  summary:
    'Check everything that is stored against the rules and invariants again; exit 1 if anything is wrong.',
  options: {
    tenant: { type: 'string', value: 'ID', help: "A school's id [all schools]" },
    rules: { type: 'boolean', help: 'Also list lessons that may break a rule because the rule is newer' },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  check: (values) => void wantedIn(values),
  run: async (context) => {
    const { values, terminal } = context
    const findings: Finding[] = []
    let faults = 0
    const hear = (finding: Finding) => {
      if (isLegal(finding) && !values.rules) return
      if (isFault(finding)) faults += 1
      if (values.json) findings.push(finding)
      else terminal.out(lineFor(finding))
    }
    const examined = await examineAll(context, hear)
    if (examined.schools === 0 && faults === 0 && values.tenant !== undefined)
      throw new CommandFailure(`There is no school ${values.tenant}.`)
    if (values.json) terminal.out(JSON.stringify(findings))
    if (faults > 0) throw new CommandFailure(`${extentOf(examined)}: ${countText(faults, 'fault')}.`)
    if (!values.json) terminal.out(`${extentOf(examined)}: nothing wrong.`)
  },
}

async function examineAll(
  { db, dataDir, values, terminal }: DataContext,
  onFinding: (finding: Finding) => void,
): Promise<ExaminedCounts> {
  const reason = dataDir === undefined ? undefined : await damageIn(databaseIn(dataDir), db)
  if (reason !== undefined) {
    const fact = {
      resource: 'database',
      resource_id: dataDir ?? '',
      code: 'file_damaged',
      params: { reason },
    } as const
    onFinding(findingFor(null, fact))
  }
  return examine(db, {
    tenantId: wantedIn(values),
    onFinding,
    onProgress: terminal.progress,
  })
}

function wantedIn(values: Values): string | undefined {
  return values.tenant === undefined ? undefined : tenantIdOf(values)
}

function lineFor({ tenant_id, resource, resource_id, code, detail }: Finding): string {
  return `${tenant_id ?? '-'}  ${resource} ${resource_id}  ${code}: ${detail}`
}

function extentOf({ schools, appointments }: ExaminedCounts): string {
  return `${countText(appointments, 'appointment')} of ${countText(schools, 'school')}`
}
