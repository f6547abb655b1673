import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, follow } from 'fahrplan-client'

const { FAHRPLAN_URL: url = '', FAHRPLAN_EMAIL: email = '', FAHRPLAN_PASSWORD: password = '' } = process.env
const client = connect({ url, login: { email, password } })

// The cursor is stored after the work: a script that is stopped goes on where it was.
const cursor = existsSync('cursor.txt') ? readFileSync('cursor.txt', 'utf8') : undefined
for await (const page of follow({ client, cursor, everyMs: 1_000 })) {
  for (const { at, actor, action, resource, resource_id } of page.changes)
    console.log(`${at} ${actor.name}: ${action} ${resource} ${resource_id}`)
  writeFileSync('cursor.txt', page.cursor)
  console.log('Following.')
}
