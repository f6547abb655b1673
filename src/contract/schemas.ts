import type { TSchema } from 'typebox'
import * as absenceDecision from './absence-decision.ts'
import * as absencePlan from './absence-plan.ts'
import * as apiToken from './api-token.ts'
import * as appointment from './appointment.ts'
import * as assumed from './assumed.ts'
import * as auth from './auth.ts'
import * as availability from './availability.ts'
import * as availabilityRound from './availability-round.ts'
import * as batch from './batch.ts'
import * as bootstrap from './bootstrap.ts'
import * as busyCalendar from './busy-calendar.ts'
import * as cancellation from './cancellation.ts'
import * as change from './change.ts'
import * as check from './check.ts'
import * as closure from './closure.ts'
import * as credit from './credit.ts'
import * as decidedChanges from './decided-changes.ts'
import * as dueSignatures from './due-signatures.ts'
import * as emailChange from './email-change.ts'
import * as enquiry from './enquiry.ts'
import * as enrolment from './enrolment.ts'
import * as erasure from './erasure.ts'
import * as fileImport from './file-import.ts'
import * as identityProvider from './identity-provider.ts'
import * as impact from './impact.ts'
import * as inbox from './inbox.ts'
import * as instructor from './instructor.ts'
import * as lessonType from './lesson-type.ts'
import * as licenseClassTemplate from './license-class-template.ts'
import * as link from './link.ts'
import * as location from './location.ts'
import * as message from './message.ts'
import * as minutes from './minutes.ts'
import * as numbers from './numbers.ts'
import * as offer from './offer.ts'
import * as openingBalance from './opening-balance.ts'
import * as openingBalanceImport from './opening-balance-import.ts'
import * as ownSchool from './own-school.ts'
import * as ownSession from './own-session.ts'
import * as passkey from './passkey.ts'
import * as personData from './person-data.ts'
import * as plan from './plan.ts'
import * as problem from './problem.ts'
import * as progress from './progress.ts'
import * as proof from './proof.ts'
import * as readiness from './readiness.ts'
import * as recordSummary from './record-summary.ts'
import * as retention from './retention.ts'
import * as scheduleRequest from './schedule-request.ts'
import * as series from './series.ts'
import * as setup from './setup.ts'
import * as signature from './signature.ts'
import * as slot from './slot.ts'
import * as student from './student.ts'
import * as studentImport from './student-import.ts'
import * as tenant from './tenant.ts'
import * as tick from './tick.ts'
import * as topic from './topic.ts'
import * as totp from './totp.ts'
import * as trainingRecord from './training-record.ts'
import * as undo from './undo.ts'
import * as user from './user.ts'
import * as vehicle from './vehicle.ts'
import * as vehicleImport from './vehicle-import.ts'
import * as webhook from './webhook.ts'
import * as wish from './wish.ts'

/** The modules with schemas, in the order of the OpenAPI document. */
const modules = [
  problem,
  absenceDecision,
  absencePlan,
  appointment,
  assumed,
  auth,
  availability,
  availabilityRound,
  batch,
  bootstrap,
  busyCalendar,
  cancellation,
  change,
  check,
  closure,
  credit,
  decidedChanges,
  emailChange,
  enquiry,
  enrolment,
  erasure,
  identityProvider,
  impact,
  inbox,
  instructor,
  lessonType,
  licenseClassTemplate,
  link,
  location,
  message,
  minutes,
  numbers,
  offer,
  openingBalance,
  openingBalanceImport,
  ownSchool,
  apiToken,
  ownSession,
  passkey,
  personData,
  plan,
  progress,
  proof,
  readiness,
  retention,
  recordSummary,
  scheduleRequest,
  series,
  setup,
  signature,
  dueSignatures,
  slot,
  fileImport,
  studentImport,
  student,
  tenant,
  tick,
  topic,
  totp,
  trainingRecord,
  undo,
  user,
  vehicle,
  vehicleImport,
  webhook,
  wish,
]

/** The exported schemas with an `$id`, which the OpenAPI document contains once. */
export const schemas: readonly TSchema[] = modules
  .flatMap((exported) => Object.values(exported))
  .filter(isNamed)

function isNamed(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && '$id' in value
}
