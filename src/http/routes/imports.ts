import { ref } from '../../contract/fields.ts'
import { FileImportCheckSchema, FileImportSchema, NewFileImportSchema } from '../../contract/file-import.ts'
import { OpeningBalanceImportPreviewSchema } from '../../contract/opening-balance-import.ts'
import { StudentImportPreviewSchema } from '../../contract/student-import.ts'
import { VehicleImportPreviewSchema } from '../../contract/vehicle-import.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { operation } from '../operation.ts'
import { openingBalanceFile } from '../pages/opening-balance-file.ts'
import { studentFile } from '../pages/student-file.ts'
import { vehicleFile } from '../pages/vehicle-file.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

/** The body limit in bytes: room for a file in base64 and the other fields. */
const bodyLimit = 3 * 1024 * 1024

const IMPORTS = [
  {
    path: '/student-imports',
    tag: 'students',
    file: studentFile,
    Preview: StudentImportPreviewSchema,
    check: {
      operationId: 'checkStudentImport',
      summary: 'Check a CSV file of students: its lines, their faults, and probable duplicates',
      description:
        'Use it before `POST /student-imports`, with the same file. Nothing is written, and a file with faults is still a 200.',
    },
    execute: {
      operationId: 'importStudents',
      summary: 'Enrol the students of a CSV file, all in one transaction',
      description:
        'A line with a fault refuses the whole file unless `skip_faulty_lines` is true. Probable duplicates are skipped unless `import_lines` names them, so sending a file twice enrols nobody twice.',
      returns: 'How many students were enrolled, and which lines were skipped.',
    },
  },
  {
    path: '/vehicle-imports',
    tag: 'vehicles',
    file: vehicleFile,
    Preview: VehicleImportPreviewSchema,
    check: {
      operationId: 'checkVehicleImport',
      summary: 'Check a CSV file of vehicles: its lines, their faults, and probable duplicates',
      description:
        'Use it before `POST /vehicle-imports`, with the same file. Nothing is written, and a file with faults is still a 200.',
    },
    execute: {
      operationId: 'importVehicles',
      summary: 'Add the vehicles of a CSV file, all in one transaction',
      description:
        'Takes the file of `GET /exports/vehicles.csv`. A line with a fault refuses the whole file unless `skip_faulty_lines` is true. Vehicles with the same plate, or the same name and no other plate, are skipped unless `import_lines` names them.',
      returns: 'How many vehicles were added, and which lines were skipped.',
    },
  },
  {
    path: '/opening-balance-imports',
    tag: 'students',
    file: openingBalanceFile,
    Preview: OpeningBalanceImportPreviewSchema,
    check: {
      operationId: 'checkOpeningBalanceImport',
      summary: 'Check a CSV file of opening balances: its lines, their faults, and entries that are there',
      description:
        'Use it before `POST /opening-balance-imports`, with the same file. Nothing is written, and a file with faults is still a 200.',
    },
    execute: {
      operationId: 'importOpeningBalances',
      summary: 'Add the entries of a CSV file to the opening balances of students, all in one transaction',
      description:
        'Takes the file of `GET /exports/opening-balances.csv`. A line names its student by id or by name, and the lesson type by name or code. A line with a fault refuses the whole file unless `skip_faulty_lines` is true. A line whose student has an entry of the same lesson type, date and source is skipped unless `import_lines` names it.',
      returns: 'How many entries were added, and which lines were skipped.',
    },
  },
] as const

export function importRoutes(app: App, service: Service): void {
  for (const one of IMPORTS) {
    checkRoute(app, service, one)
    importRoute(app, service, one)
  }
}

type Import = (typeof IMPORTS)[number]

function checkRoute(app: App, { db }: Service, { path, tag, file, Preview, check }: Import): void {
  app.post(
    `${path}/check`,
    operation(tag, {
      bodyLimit,
      permission: 'plan',
      reads: true,
      ...check,
      returns: 'The expected result of importing the file.',
      body: ref(FileImportCheckSchema),
      response: responses({ 200: ref(Preview) }, 401, 403, ...BODY),
    }),
    async ({ actor, body, slicer }) => {
      const { file: bytes, ...reading } = body
      return file.preview(Buffer.from(bytes, 'base64'), reading, { db, actor, slicer })
    },
  )
}

function importRoute(app: App, service: Service, { path, tag, file, execute }: Import): void {
  app.post(
    path,
    operation(tag, {
      bodyLimit,
      permission: 'plan',
      ...execute,
      headers: idempotencyKey,
      body: ref(NewFileImportSchema),
      response: responses({ 200: ref(FileImportSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, body, slicer } = request
      const { file: bytes, import_lines = [], skip_faulty_lines: skipsFaulty = false, ...reading } = body
      const { db } = service
      const make = (key?: IdempotencyKey) =>
        file.execute(
          Buffer.from(bytes, 'base64'),
          { ...reading, import_lines, skipsFaulty, key },
          { db, actor, slicer },
        )
      return sendIdempotentResult(reply, await makeOnce(service, request, make))
    },
  )
}
