import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { apiTokenOf, callTool } from '../support/assistant.ts'
import { aSchool, type School } from '../support/factory.ts'
import { complaintsOf, ROOT } from '../support/process.ts'
import { aLogin } from '../support/session.ts'
import { useSandbox } from './sandbox.ts'

const service = useService()
const sandbox = useSandbox()
let school: School
let token: string

beforeAll(async () => {
  school = await aSchool(service())
  token = await apiTokenOf(await aLogin(service(), school.tenantId))
})

describe('mcp', () => {
  it('gives an assistant the tools of the school on stdin and stdout', async () => {
    const { id } = await school.student({ first_name: 'Zoë' })
    const assistant = new Client({ name: 'test', version: '1' })
    const args = [join(ROOT, 'bin/fahrplan.js'), 'mcp', '--url', service().url]
    const env = { PATH: process.env.PATH ?? '', FAHRPLAN_TOKEN: token }
    await assistant.connect(new StdioClientTransport({ command: process.execPath, args, env }))
    try {
      expect((await callTool(assistant, 'find_people', { name: 'zoe' })).data).toMatchObject({
        students: [{ id }],
      })
      const link = (await callTool(assistant, 'propose_lesson', { student_id: id })).text
      expect(link).not.toContain('/?')
    } finally {
      await assistant.close()
    }
  })

  it.each([
    [[], {}, '--url missing'],
    [['--url', 'fahrplan.example'], {}, '--url must begin with https:, not fahrplan.example'],
    [['--url', 'http://fahrplan.example'], {}, '--url must begin with https:'],
    [['--url', 'https://fahrplan.example'], {}, 'FAHRPLAN_TOKEN is not set'],
  ])('%j exits with 2 and says why', async (line, environment, complaint) => {
    const exit = await sandbox.run(['mcp', ...line], environment)
    expect([exit.code, exit.out]).toEqual([2, ''])
    expect(complaintsOf(exit)).toEqual([expect.stringContaining(complaint)])
  })

  it('exits with 1 if the service does not accept the token or is not there', async () => {
    const wrong = await sandbox.run(['mcp', '--url', service().url], { FAHRPLAN_TOKEN: 'fahrplan_x' })
    expect([wrong.code, complaintsOf(wrong)]).toEqual([
      1,
      [expect.stringContaining('does not accept the token')],
    ])
    const nobody = await sandbox.run(['mcp', '--url', 'http://127.0.0.1:9'], { FAHRPLAN_TOKEN: token })
    expect([nobody.code, complaintsOf(nobody)]).toEqual([1, [expect.stringContaining('http://127.0.0.1:9')]])
    expect(JSON.stringify(nobody)).not.toContain(token)
  })
})
