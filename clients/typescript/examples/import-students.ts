import { readFileSync } from 'node:fs'
import { all, checkStudentImport, connect, importStudents, listStudents } from 'fahrplan-client'

const { FAHRPLAN_URL: url = '', FAHRPLAN_EMAIL: email = '', FAHRPLAN_PASSWORD: password = '' } = process.env
const client = connect({ url, login: { email, password } })

const file = readFileSync(process.argv[2] ?? 'students.csv').toString('base64')
const preview = await checkStudentImport({ client, body: { file } })
for (const { line, detail } of preview.faults) console.log(`Line ${line}: ${detail}`)
const { imported } = await importStudents({ client, body: { file, skip_faulty_lines: true } })
console.log(`Imported ${imported} students.`)

let count = 0
for await (const student of all(listStudents, { client, query: { limit: 500 } })) count += student.id ? 1 : 0
console.log(`The school has ${count}.`)
