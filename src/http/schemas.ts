import { absencePlanParts } from '../contract/absence-plan.ts'
import {
  AppointmentChangeSchema,
  AppointmentSchema,
  AttendanceSchema,
  NewAppointmentSchema,
} from '../contract/appointment.ts'
import { SlotSearchSchema } from '../contract/assumed.ts'
import {
  CredentialsSchema,
  MeSchema,
  PasswordChangeSchema,
  PasswordChoiceSchema,
  RefreshSchema,
  ResetRequestedSchema,
  ResetRequestSchema,
  TokensSchema,
  UserSchema,
} from '../contract/auth.ts'
import { batchParts } from '../contract/batch.ts'
import { BootstrapSchema } from '../contract/bootstrap.ts'
import { NewCancellationSchema } from '../contract/cancellation.ts'
import { ChangeSchema, ChangesSinceSchema } from '../contract/change.ts'
import { AppointmentCheckSchema, CheckSchema, RefusalSchema } from '../contract/check.ts'
import { ClosureSchema, HolidaySchema, NewClosureSchema } from '../contract/closure.ts'
import {
  EmailChangeLinkSchema,
  EmailChangeSchema,
  EmailConfirmationSchema,
  NewEmailSchema,
} from '../contract/email-change.ts'
import { ImpactSchema } from '../contract/impact.ts'
import {
  InstructorChangeSchema,
  InstructorSchema,
  instructorParts,
  NewInstructorSchema,
} from '../contract/instructor.ts'
import { LessonTypeChangeSchema, LessonTypeSchema } from '../contract/lesson-type.ts'
import { LicenseClassTemplateSchema } from '../contract/license-class-template.ts'
import { linkParts } from '../contract/link.ts'
import { locationParts } from '../contract/location.ts'
import { MessageSchema } from '../contract/message.ts'
import { offerParts } from '../contract/offer.ts'
import { OpeningBalanceSchema } from '../contract/opening-balance.ts'
import { OwnSessionSchema } from '../contract/own-session.ts'
import {
  CeremonyOptionsSchema,
  NewPasskeySchema,
  PasskeyAssertionSchema,
  PasskeyChangeSchema,
  PasskeyRegistrationSchema,
  PasskeySchema,
  RecoveryCodesSchema,
  SecondFactorChangeSchema,
  SecondFactorSchema,
} from '../contract/passkey.ts'
import { FaultSchema, ProblemSchema } from '../contract/problem.ts'
import { ProgressSchema, ProgressSumSchema } from '../contract/progress.ts'
import { ProofSchema, SecondFactorProofSchema } from '../contract/proof.ts'
import { ReadinessSchema } from '../contract/readiness.ts'
import { scheduleRequestParts } from '../contract/schedule-request.ts'
import { seriesParts } from '../contract/series.ts'
import { SetupSchema, SetupStateSchema } from '../contract/setup.ts'
import { SlotSchema, WarningSchema } from '../contract/slot.ts'
import {
  ListedStudentSchema,
  NewStudentSchema,
  StudentChangeSchema,
  StudentRestorationSchema,
  StudentSchema,
} from '../contract/student.ts'
import { studentImportParts } from '../contract/student-import.ts'
import { TenantChangeSchema, TenantSchema } from '../contract/tenant.ts'
import { SetUndoSchema } from '../contract/undo.ts'
import {
  InvitationAgainSchema,
  InvitationSchema,
  InvitedUserSchema,
  NewUserSchema,
  PasswordLinkSchema,
  SchoolUserSchema,
  UserChangeSchema,
} from '../contract/user.ts'
import { vehicleParts } from '../contract/vehicle.ts'
import { webhookParts } from '../contract/webhook.ts'
import { NewWishSchema, WishSchema } from '../contract/wish.ts'

/** The schemas with an `$id`, which the OpenAPI document contains once. */
export const schemas = [
  ...webhookParts,
  FaultSchema,
  ProblemSchema,
  TenantSchema,
  TenantChangeSchema,
  UserSchema,
  MeSchema,
  CredentialsSchema,
  RefreshSchema,
  TokensSchema,
  PasswordChangeSchema,
  PasswordChoiceSchema,
  ResetRequestSchema,
  ResetRequestedSchema,
  SchoolUserSchema,
  NewUserSchema,
  UserChangeSchema,
  PasswordLinkSchema,
  InvitationAgainSchema,
  InvitedUserSchema,
  InvitationSchema,
  NewEmailSchema,
  EmailChangeSchema,
  EmailChangeLinkSchema,
  EmailConfirmationSchema,
  OwnSessionSchema,
  CeremonyOptionsSchema,
  PasskeyAssertionSchema,
  PasskeyRegistrationSchema,
  PasskeySchema,
  NewPasskeySchema,
  PasskeyChangeSchema,
  SecondFactorSchema,
  SecondFactorChangeSchema,
  RecoveryCodesSchema,
  ProofSchema,
  SecondFactorProofSchema,
  OpeningBalanceSchema,
  ClosureSchema,
  NewClosureSchema,
  HolidaySchema,
  ProgressSchema,
  ProgressSumSchema,
  ReadinessSchema,
  StudentSchema,
  ListedStudentSchema,
  NewStudentSchema,
  StudentChangeSchema,
  StudentRestorationSchema,
  ...studentImportParts,
  ...instructorParts,
  InstructorSchema,
  NewInstructorSchema,
  InstructorChangeSchema,
  ...locationParts,
  WishSchema,
  NewWishSchema,
  ...offerParts,
  MessageSchema,
  ...vehicleParts,
  NewCancellationSchema,
  AppointmentSchema,
  NewAppointmentSchema,
  AppointmentChangeSchema,
  AttendanceSchema,
  WarningSchema,
  SlotSchema,
  RefusalSchema,
  AppointmentCheckSchema,
  CheckSchema,
  ...seriesParts,
  ...batchParts,
  ImpactSchema,
  ...absencePlanParts,
  SlotSearchSchema,
  ...linkParts,
  ...scheduleRequestParts,
  LessonTypeSchema,
  LessonTypeChangeSchema,
  LicenseClassTemplateSchema,
  BootstrapSchema,
  SetupStateSchema,
  SetupSchema,
  ChangeSchema,
  ChangesSinceSchema,
  SetUndoSchema,
]
