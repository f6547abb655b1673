import { importStudents } from '../../booking/import-students.ts'
import { ref } from '../../contract/fields.ts'
import {
  NewStudentImportSchema,
  StudentImportCheckSchema,
  StudentImportPreviewSchema,
  StudentImportSchema,
} from '../../contract/student-import.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { previewStudents, requireStudents } from '../pages/student-files.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const tags = ['students']
/** A file in base64, with the rest of the body. */
const bodyLimit = 3 * 1024 * 1024

export function studentImportRoutes(app: App, service: Service): void {
  const { db } = service

  app.post(
    '/student-imports/check',
    {
      bodyLimit,
      config: { permission: 'plan' },
      schema: {
        tags,
        operationId: 'checkStudentImport',
        summary: 'Check a CSV file of students: its lines, their faults, and probable duplicates',
        description:
          'Use it before `POST /student-imports`, with the same file. Nothing is written, and a file with faults is still a 200.',
        returns: 'The expected result of importing the file.',
        body: ref(StudentImportCheckSchema),
        response: responses({ 200: ref(StudentImportPreviewSchema) }, 401, 403, ...BODY),
      },
    },
    async ({ actor, body, pieces }) => previewStudents(db, actor, Buffer.from(body.file, 'base64'), pieces),
  )

  app.post(
    '/student-imports',
    {
      bodyLimit,
      config: { permission: 'plan' },
      schema: {
        tags,
        operationId: 'importStudents',
        summary: 'Enrol the students of a CSV file, all in one transaction',
        description:
          'A line with a fault refuses the whole file unless `skip_faulty_lines` is true. Probable duplicates are skipped unless `import_lines` names them, so sending a file twice enrols nobody twice.',
        returns: 'How many students were enrolled, and which lines were skipped.',
        headers: idempotencyKey,
        body: ref(NewStudentImportSchema),
        response: responses({ 200: ref(StudentImportSchema) }, 401, 403, 409, 422, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, body, pieces } = request
      const { file, import_lines = [], skip_faulty_lines: skipsFaulty = false } = body
      const make = async (key?: IdempotencyKey) => {
        const bytes = Buffer.from(file, 'base64')
        const found = await requireStudents(service.db, actor, bytes, { skipsFaulty, pieces })
        return importStudents(service.db, actor, { ...found, import_lines }, { key, pieces })
      }
      return sendIdempotentResult(reply, await makeOnce(service, request, make))
    },
  )
}
