import { commandActor } from '../booking/command-actor.ts'
import { previewRetention } from '../booking/students/retention.ts'
import { runRetention } from '../booking/students/run-retention.ts'
import type { Actor } from '../contract/actor.ts'
import { Problem } from '../contract/problem.ts'
import type { Retention } from '../contract/retention.ts'
import { isLocalDate } from '../domain/local-time.ts'
import { CommandFailure, type DataCommand, type DataContext, UsageError, type Values } from './command.ts'
import { countText } from './counts.ts'
import { requireTenantOption, tenantIdOf } from './tenant-option.ts'

const DIGEST = /^sha256:[0-9a-f]{64}$/

/** Prints ids, not names: the output of a timer ends up in a log. */
export const retention: DataCommand = {
  kind: 'data',
  name: 'retention',
  asOwner: true,
  summary: 'List the students whose time is over, or erase them.',
  options: {
    tenant: { type: 'string', value: 'ID', help: "The school's id", required: true },
    on: { type: 'string', value: 'DATE', help: 'List for this day [today]' },
    run: {
      type: 'string',
      value: 'DIGEST',
      help: 'Erase the students of the list with this digest, of today',
    },
    yes: { type: 'boolean', help: 'Also change texts about others that mention a student' },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  check: (values) => {
    tenantIdOf(values)
    dayOf(values)
    digestOf(values)
  },
  run: async (context) => {
    const { db, values } = context
    const actor = commandActor('retention', await requireTenantOption(db, values), new Date())
    const digest = digestOf(values)
    await (digest === undefined ? list(context, actor) : erase(context, actor, digest))
  },
}

async function list({ db, values, terminal }: DataContext, actor: Actor): Promise<void> {
  const preview = await previewRetention(db, actor, dayOf(values), (part) => part())
  const { due, partial, kept, unended } = preview
  if (values.json) return terminal.out(JSON.stringify(withoutNames(preview)))
  terminal.out(
    `${preview.on}: ${countText(due.length, 'student')} due, ${partial.length} in part, ${kept.length} kept; ${countText(unended.length, 'enrolment')} without an end.`,
  )
  for (const { student_id } of due) terminal.out(`  due      ${student_id}`)
  for (const { student_id, until } of partial) terminal.out(`  in part  ${student_id}  record until ${until}`)
  for (const { student_id, reason } of kept) terminal.out(`  kept     ${student_id}  ${reason}`)
  if (due.length + partial.length > 0) terminal.out(`To erase them, repeat with --run ${preview.digest}`)
}

function withoutNames({ due, partial, kept, unended, ...rest }: Retention): object {
  const lists = { due, partial, kept, unended }
  return {
    ...rest,
    ...Object.fromEntries(
      Object.entries(lists).map(([list, rows]) => [list, rows.map(({ name: _, ...row }) => row)]),
    ),
  }
}

async function erase({ db, values, terminal }: DataContext, actor: Actor, digest: string): Promise<void> {
  const run = await runRetention(db, actor, { digest, agreed: values.yes === true }).catch((error) => {
    const isOutdated = error instanceof Problem && error.code === 'preview_outdated'
    throw isOutdated ? new CommandFailure('Other students are due today: list them again.') : error
  })
  const { erased, restricted, skipped } = run
  if (values.json) return terminal.out(JSON.stringify(run))
  terminal.out(
    `Erased ${countText(erased.length, 'student')}; of ${restricted.length} only the record stays; ${skipped.length} skipped.`,
  )
  for (const { student_id, reason } of skipped) terminal.out(`  skipped  ${student_id}  ${reason}`)
}

function dayOf(values: Values): string | undefined {
  const { on } = values
  if (on === undefined) return undefined
  if (typeof on !== 'string' || !isLocalDate(on))
    throw new UsageError('--on must be a day, such as 2027-01-01')
  if (values.run !== undefined) throw new UsageError('--run erases the students of today: leave --on out')
  return on
}

function digestOf({ run }: Values): string | undefined {
  if (run === undefined) return undefined
  if (typeof run !== 'string' || !DIGEST.test(run))
    throw new UsageError('--run must be the digest that the list ends with')
  return run
}
