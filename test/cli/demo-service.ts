import { Client } from '../support/client.ts'
import type { Environment, Program } from '../support/process.ts'
import { bearer } from '../support/session.ts'
import type { ShownSchool } from './demo-rules.ts'
import type { Sandbox } from './sandbox.ts'

export const EMAIL = 'office@demo.example'
/** The line that a demo prints before it is made. */
export const MAKING = /^Creating the demo school.*$/m

export type Demo = {
  readonly program: Program
  readonly url: string
  readonly password: string
  readonly api: Client
}

/** Starts a demo, waits until it is ready and logs in as its office. */
export async function startDemo(sandbox: Sandbox, environment: Environment): Promise<Demo> {
  const program = sandbox.start(['demo'], { PORT: '0', ...environment })
  const [, url = '', password = ''] = await program.says(
    /^Ready: (http:\/\/127\.0\.0\.1:\d+)\nLogin: office@demo\.example \/ (\S+)\n/m,
  )
  const visitor = new Client({ url })
  const { body } = await visitor.post('/auth/login', { email: EMAIL, password })
  return { program, url, password, api: visitor.with(bearer(body.token)) }
}

/** Reads all rows of a demo's school. */
export async function shownBy(api: Client): Promise<ShownSchool & { readonly students: readonly unknown[] }> {
  const { body } = await api.get('/bootstrap')
  return { ...body, appointments: (await api.get('/appointments')).body }
}
