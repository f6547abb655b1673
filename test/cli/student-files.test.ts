import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { enter } from '../support/factory.ts'
import { complaintsOf, type Environment, once, requireSuccess } from '../support/process.ts'
import { onPostgres } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const sandbox = useSandbox()

/** Writes a file in Windows-1252, as office spreadsheets do. */
async function aFile(lines: readonly string[]): Promise<string> {
  const path = join(await sandbox.folder(), 'fahrschüler.csv')
  await writeFile(path, Buffer.from(lines.join('\r\n'), 'latin1'))
  return path
}

const HEADINGS = 'Vorname;Nachname;E-Mail;Kundennummer'
const FILE = [HEADINGS, 'Jürgen;Groß;juergen@mail.example;1', 'Lena;Vogt;;2', 'Juergen;Gross;;3']

type Office = { readonly environment: Environment; readonly url: string }

async function expectImported({ environment, url }: Office): Promise<void> {
  const school = await enter({ url }, await makeSchool(sandbox, environment))
  const run = (...more: readonly string[]) =>
    sandbox.run(['student', 'import', '--tenant', school.tenantId, ...more], environment)
  const students = async () => (await school.client.get('/students')).body
  const path = await aFile(FILE)

  const faulty = await aFile([HEADINGS, 'Jürgen;;keine;1'])
  const refused = await run('--in', faulty)
  expect(refused.code).toBe(1)
  expect(complaintsOf(refused)).toEqual(['Nothing was imported. Lines with faults: 1.'])
  expect(refused.out).toContain('Line 2: last_name lacks a name.')
  expect(refused.out).toContain('Line 2: email must be an e-mail address. ("keine")\n')

  const dry = await run('--in', path, '--dry-run')
  requireSuccess(dry)
  expect(dry.out).toContain('3 students. Not imported: Kundennummer.\n')
  expect(dry.out).toContain('Line 4: Juergen Gross is probably Jürgen Groß, line 2 (same name).\n')
  expect(await students()).toEqual([])

  const done = await run('--in', path, '--json')
  expect(JSON.parse(done.out)).toEqual({ imported: 2, skipped_lines: [4] })
  expect(JSON.parse((await run('--in', path, '--json')).out)).toEqual({
    imported: 0,
    skipped_lines: [2, 3, 4],
  })
  expect(await students()).toMatchObject([{ last_name: 'Groß' }, { last_name: 'Vogt' }])
  const forced = await run('--in', await aFile([HEADINGS, 'Lena;Vogt;;']), '--duplicates', 'import', '--json')
  expect(JSON.parse(forced.out)).toEqual({ imported: 1, skipped_lines: [] })
  const rest = await aFile([HEADINGS, 'Jürgen;;keine;1', 'Ole;Fink;;'])
  expect(JSON.parse((await run('--in', rest, '--faulty', 'skip', '--json')).out)).toEqual({
    imported: 1,
    skipped_lines: [],
    faulty_lines: [2],
  })
  expect(await run('--in', rest, '--faulty', 'all')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--faulty must be refuse or skip'),
  })
  const [first] = (await school.client.get(`/students/${(await students())[0].id}/history`)).body
  expect(first.actor).toEqual({ kind: 'command', id: null, name: 'student import' })

  const printed = await sandbox.run(['student', 'export', '--tenant', school.tenantId], environment)
  const response = await fetch(`${url}/api/v1/exports/students.csv`, {
    headers: school.client.headers,
  })
  requireSuccess(printed)
  expect(printed.out.replace(/^\ufeff/, '')).toBe(await response.text())
}

describe.concurrent('student files', () => {
  const service = once(() => sandbox.serve(onPostgres()))

  it('are imported and exported on PostgreSQL', async () => {
    const { url } = await service()
    await expectImported({ environment: onPostgres(), url })
  })

  it('are imported and exported on the embedded database of a running service', async () => {
    const environment = { DATA_DIR: await sandbox.dataDir() }
    const { url } = await sandbox.serve(environment)
    await expectImported({ environment, url })
  })

  it('are read with the headings, fields and assumptions of the options', async () => {
    const { url } = await service()
    const school = await enter({ url }, await makeSchool(sandbox, onPostgres()))
    const run = (...more: readonly string[]) =>
      sandbox.run(['student', 'import', '--tenant', school.tenantId, ...more], onPostgres())
    const path = await aFile(['Liste;;', 'Nachn.;Wer;Handynr.', 'Groß;Jürgen;15112345678', ';Suharto;'])
    const FIELDS = 'last_name, first_name,phone'

    const unknown = await run('--in', path, '--dry-run')
    expect(unknown).toMatchObject({ code: 1, out: '2 students. Not imported: Nachn., Wer, Handynr..\n' })
    expect(complaintsOf(unknown)).toEqual([
      expect.stringMatching(
        /^Nothing was imported\. There is no column first_name and last_name: name the fields with --columns, one of first_name, .* or - for each of the 3 columns\.$/,
      ),
    ])
    const doubtful = await run('--in', path, '--columns', FIELDS)
    expect(doubtful.code).toBe(1)
    expect(doubtful.out).toContain('2 students.\nLine 4: ')
    expect(doubtful.out).toContain(
      'Line 3: phone "15112345678" is probably "015112345678": --assume lost_zero imports that.\n',
    )
    const whole = ['--in', path, '--columns', FIELDS, '--assume', 'one_name,lost_zero']
    const asJson = await run(...whole, '--dry-run', '--json')
    expect(JSON.parse(asJson.out)).toMatchObject({ heading_line: 2, students: 2, faults: [] })
    const done = await run(...whole)
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/\nImported 2, skipped 0\.\n$/) })

    const bare = await aFile(['K-1;Lena;Vogt', 'K-2;Mia;Sommer'])
    const bareFields = ['--heading-line', '0', '--columns=-,first_name,last_name']
    expect(await run('--in', bare, ...bareFields)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Imported 2, skipped 0.\n'),
    })
    expect((await school.client.get('/students')).body).toMatchObject([
      { last_name: 'Groß', first_name: 'Jürgen', phone: '015112345678' },
      { last_name: 'Sommer' },
      { last_name: 'Vogt', notes: null },
      { last_name: '–', first_name: 'Suharto' },
    ])
  })

  it('are read in the encoding of the option', async () => {
    const { url } = await service()
    const school = await enter({ url }, await makeSchool(sandbox, onPostgres()))
    const path = join(await sandbox.folder(), 'mac.csv')
    await writeFile(path, Buffer.from('Vorname;Name\rK\x9fhn;B\x9ahm\r', 'latin1'))
    const run = ['student', 'import', '--tenant', school.tenantId, '--in', path, '--encoding', 'macintosh']
    requireSuccess(await sandbox.run(run, onPostgres()))
    expect((await school.client.get('/students')).body).toMatchObject([
      { first_name: 'Kühn', last_name: 'Böhm' },
    ])
  })

  it.each([
    [['--in', '/dev/null', '--encoding', 'latin-1'], 2, '--encoding must be one of utf-8, '],
    [['--in', '/dev/null', '--heading-line', 'two'], 2, '--heading-line must be the number of a line, or 0'],
    [['--in', '/dev/null', '--assume', 'lost_zero,all'], 2, '--assume must be lost_zero, one_name or both'],
    [['--in', '/nowhere/students.csv'], 1, 'no such file'],
    [['--in', '/dev/null'], 1, 'The file has no line.'],
    [['--in', '/dev/null', '--duplicates', 'both'], 2, '--duplicates must be skip or import'],
  ])('imported with %j are rejected in one line', async (more, code, reason) => {
    const { url } = await service()
    const { tenantId } = await enter({ url }, await makeSchool(sandbox, onPostgres()))
    const result = await sandbox.run(['student', 'import', '--tenant', tenantId, ...more], onPostgres())
    expect(result).toMatchObject({ code, out: '' })
    expect(complaintsOf(result)).toEqual([expect.stringContaining(reason)])
  })
})
