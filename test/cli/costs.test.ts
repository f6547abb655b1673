import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ROOT } from '../support/process.ts'

const MINUTES = 900_000
const FIELDS = 'src/domain/student-fields.ts'
const MIGRATION = 'src/db/migrations/9999-guardians.ts'
const SCHEMA = 'src/db/schema/schema.json'

/** The files that a new field of a student changes. A change that needs another one says so in ADR 0103. */
const COST = [MIGRATION, SCHEMA, FIELDS]

/** An anchor in a file of the copy, and the text to insert before it. */
type Edit = readonly [file: string, anchor: string, added: string]

const RULE = `    {
      code: 'too_short',
      refusal:
        proposed.end - proposed.start < 10
          ? { code: 'too_short', params: { minutes: proposed.end - proposed.start, least_minutes: 10 } }
          : undefined,
    },
`

/** A rule that refuses lessons of less than ten minutes: ADR 0100 has their number. */
const REFUSAL: readonly Edit[] = [
  [
    'src/domain/refusal.ts',
    '  readonly full: {',
    '  readonly too_short: { readonly minutes: number; readonly least_minutes: number }\n',
  ],
  ['src/domain/refusal.ts', '  full: true,', '  too_short: true,\n'],
  ['src/domain/booking.ts', "    { code: 'full',", RULE],
  ['src/domain/free-intervals.ts', '  if (tooManyRefusalFor(', '  if (criteria.minutes < 10) return []\n'],
  [
    'src/contract/refusals.ts',
    '  student_archived: {',
    `  too_short: {
    status: 409,
    title: 'Too short',
    detail: 'The lesson has {minutes} minutes; {least_minutes} are required.',
    params: field.closed({
      minutes: Type.Integer({ description: 'The minutes of the lesson.' }),
      least_minutes: Type.Integer({ description: 'The minutes that it must have.' }),
    }),
  },
`,
  ],
  [
    'src/web/lessons/refusal-messages.ts',
    "    case 'full':",
    "    case 'too_short':\n      return t('refusal.too_short', { minutes: refusal.params.minutes })\n",
  ],
  [
    'src/web/ui/i18n/de-refusals.ts',
    "  vehicle_absent: 'Das",
    "  too_short: '{{minutes}} min sind zu kurz.',\n",
  ],
  ['src/web/ui/i18n/de-refusals.ts', "  vehicle_absent: 'Fahrzeug", "  too_short: 'zu kurz',\n"],
  [
    'src/web/ui/i18n/en-refusals.ts',
    "  vehicle_absent: 'The",
    "  too_short: '{{minutes}} min are too short.',\n",
  ],
  ['src/web/ui/i18n/en-refusals.ts', "  vehicle_absent: 'vehicle", "  too_short: 'too short',\n"],
]

/** A warning of lessons that begin before six: ADR 0100 has the number of files. */
const WARNING: readonly Edit[] = [
  [
    'src/domain/warnings.ts',
    "  | { readonly code: 'no_student';",
    "  | { readonly code: 'before_six'; readonly params: { readonly start_at: LocalDateTime } }\n",
  ],
  [
    'src/domain/warnings.ts',
    '    studentWarningFor(considered),',
    `    considered.start_at.slice(11) < '06:00'
      ? ({ code: 'before_six', params: { start_at: considered.start_at } } as const)
      : undefined,
`,
  ],
  ['src/contract/slot.ts', "  'no_student',", "  'before_six',\n"],
  [
    'src/contract/slot.ts',
    '\\`no_student\\`: a lesson',
    '\\`before_six\\`: it starts at \\`params.start_at\\`, before six.\n',
  ],
  [
    'src/web/lessons/warning-messages.ts',
    "    case 'class_not_taught': {",
    "    case 'before_six':\n      return t('warning.before_six', { time: timeOf(warning.params.start_at) })\n",
  ],
  ['src/web/ui/i18n/de-dialogs.ts', '    never_dark:', "    before_six: 'Beginnt schon um {{time}} Uhr.',\n"],
  ['src/web/ui/i18n/en-dialogs.ts', '    never_dark:', "    before_six: 'Begins as early as {{time}}.',\n"],
]

let copy: string
let files: readonly string[]

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'field-cost-'))
  files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '')
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(ROOT, file), join(copy, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})

afterEach(() => rmSync(copy, { recursive: true, force: true }))

function run(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const environment = { ...process.env, VITEST: undefined, VITEST_MODE: undefined }
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: copy, env: environment }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, out: out + err }),
    )
  })
}

async function pass(running: ReturnType<typeof run>): Promise<void> {
  const { code, out } = await running
  expect(code, out).toBe(0)
}

function tests(project: string, ...paths: readonly string[]) {
  return run('node_modules/vitest/vitest.mjs', 'run', '--project', project, ...paths)
}

function write(file: string, text: string): void {
  writeFileSync(join(copy, file), text)
}

/** Makes the edits, and fails for one whose anchor is gone. Returns the files changed. */
function edit(edits: readonly Edit[]): readonly string[] {
  for (const [file, anchor, added] of edits) {
    const text = readFileSync(join(copy, file), 'utf8')
    expect(text.split(anchor), `${file} has this once: ${anchor}`).toHaveLength(2)
    write(
      file,
      text.replace(anchor, () => added + anchor),
    )
  }
  return [...new Set(edits.map(([file]) => file))]
}

/** Passes if the copy compiles, and if one flow passes: the test `text`. */
async function passWith(text: string): Promise<void> {
  await pass(run(COMPILER, '--noEmit'))
  await pass(run(COMPILER, '--noEmit', '-p', 'src/web'))
  write(FLOW_FILE, text)
  await pass(tests('embedded', FLOW_FILE))
  rmSync(join(copy, FLOW_FILE))
}

const COMPILER = 'node_modules/typescript/bin/tsc'
const FLOW_FILE = 'test/http/cost.test.ts'

const FIELD = `  guardian: {
    kind: 'line',
    isNullable: true,
    label: { de: 'Erziehungsberechtigte', en: 'Guardian' },
    about: 'Who signs for the student; null for nobody.',
  },
`

const MIGRATE = `import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table students add column guardian text\`.execute(db)
}
`

const FLOW = `import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

it('stores the field, and has it in history, export and import', async () => {
  const school = await aSchool(service())
  const { client } = school
  const { id } = await school.student({ guardian: 'Ada Vogt' })
  must(200, await client.patch(\`/students/\${id}\`, { guardian: 'Ida Vogt' }))
  expect(must(200, await client.get(\`/students/\${id}\`))).toMatchObject({ guardian: 'Ida Vogt' })
  const [change] = must(200, await client.get(\`/students/\${id}/history\`)) as unknown as { before: unknown }[]
  expect(change?.before).toMatchObject({ guardian: 'Ada Vogt' })
  const file = await fetch(\`\${service().url}/api/v1/exports/students.csv\`, { headers: client.headers })
  expect(await file.text()).toMatch(/Erziehungsberechtigte[^]*Ida Vogt/)
  const lines = 'Vorname;Nachname;Erziehungsberechtigte\\nMia;Groß;Eva Groß'
  must(200, await client.post('/student-imports', { file: Buffer.from(lines).toString('base64') }))
  const all = must(200, await client.get('/students')) as unknown as { guardian: string }[]
  expect(all.map(({ guardian }) => guardian)).toContain('Eva Groß')
})
`

const ONE_LESSON = (times: string, expected: string) => `import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checked } from '../support/checked.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

it('is told', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const { body } = await checked(service(), school, { instructor_id, ${times} })
  expect(body).toMatchObject(${expected})
})
`

it('a refusal costs seven files', { timeout: MINUTES }, async () => {
  expect(edit(REFUSAL)).toHaveLength(7)
  await passWith(
    ONE_LESSON(
      "start_at: '2026-05-04 10:00', end_at: '2026-05-04 10:05'",
      "{ allowed: false, refusals: [{ code: 'too_short', params: { minutes: 5, least_minutes: 10 } }] }",
    ),
  )
  await pass(tests('unit', 'src/domain/slots.test.ts', 'src/contract', 'src/http'))
})

it('a warning costs five files', { timeout: MINUTES }, async () => {
  expect(edit(WARNING)).toHaveLength(5)
  await passWith(
    ONE_LESSON(
      "start_at: '2026-05-04 05:30', end_at: '2026-05-04 06:15'",
      "{ warnings: expect.arrayContaining([{ code: 'before_six', params: { start_at: '2026-05-04 05:30' } }]) }",
    ),
  )
  await pass(tests('unit', 'src/contract', 'src/web/lessons'))
})

it('a field of a student without its migration is named by a unit test', { timeout: MINUTES }, async () => {
  edit([[FIELDS, '  notes: {', FIELD]])
  const { code, out } = await tests('unit', 'src/db/schema/described-columns.test.ts')
  expect({ code, isNamed: out.includes('guardian') }).toEqual({ code: 1, isNamed: true })
})

it('a field of a student costs its line, its migration and the schema', { timeout: MINUTES }, async () => {
  edit([[FIELDS, '  notes: {', FIELD]])
  write(MIGRATION, MIGRATE)
  await pass(run('test/doctor/write-schema.ts'))
  await pass(tests('unit', 'src/db/schema', 'src/csv'))
  await passWith(FLOW)
  const changed = [
    ...files,
    ...readdirSync(join(copy, 'src/db/migrations')).map((name) => `src/db/migrations/${name}`),
  ].filter(
    (file) =>
      !files.includes(file) || readFileSync(join(copy, file)).compare(readFileSync(join(ROOT, file))) !== 0,
  )
  expect(changed.toSorted()).toEqual(COST.toSorted())
})
