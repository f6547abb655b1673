import { sql } from 'kysely'
import {
  type DrivenType,
  type Fleet,
  type FleetVehicle,
  type VehicleClass,
  type VehicleUse,
  vehiclesAfter,
  vehiclesFor,
} from '../../domain/lesson-vehicles.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import type { Database } from '../schema/tables.ts'

type DrivenLesson = {
  readonly instructor_id: string
  readonly lesson_type_id: string | null
  readonly student_id: string | null
}

/** The vehicles of a school, and the data from which a lesson's usual ones follow. */
export class SchoolFleet {
  readonly #vehicles: Fleet
  readonly #usual: ReadonlyMap<string, string>
  readonly #types: ReadonlyMap<string, DrivenType>
  readonly #classes: ReadonlyMap<string, VehicleClass>

  constructor({ vehicles, usual, lesson_types, student_classes }: Row) {
    this.#vehicles = new Map(vehicles.map((one) => [one.id, one]))
    this.#usual = new Map(Object.entries(usual))
    this.#types = new Map(Object.entries(lesson_types))
    this.#classes = new Map(Object.entries(student_classes))
  }

  get isEmpty(): boolean {
    return this.#vehicles.size === 0
  }

  /** Returns the licence class of a student who was named; null if there is none. */
  licenseClassOf(student_id: string | null): string | null {
    return this.#classes.get(student_id ?? '')?.license_class ?? null
  }

  /** Returns the vehicles of a new lesson, with those chosen by hand. */
  vehiclesFor(lesson: DrivenLesson, beside?: readonly string[]): string[] {
    return vehiclesFor(this.#vehicleUseOf(lesson), this.#vehicles, beside)
  }

  vehiclesWith(
    lesson: DrivenLesson & { readonly vehicle_ids?: readonly string[] | undefined },
    instructor_id: string,
  ): string[] {
    const uses = [this.#vehicleUseOf(lesson), this.#vehicleUseOf({ ...lesson, instructor_id })] as const
    return vehiclesAfter(lesson.vehicle_ids ?? [], uses, this.#vehicles)
  }

  /** Returns every vehicle that one of the lessons could get with one of the instructors; by default with any. */
  possibleFor(lessons: readonly DrivenLesson[], instructors?: readonly string[]): readonly string[] {
    if (this.#vehicles.size === 0) return []
    const kindOf = ({ lesson_type_id, student_id }: DrivenLesson) =>
      `${lesson_type_id} ${this.#classes.get(student_id ?? '')?.code}`
    const kinds = new Map(lessons.map((one) => [kindOf(one), one]))
    const asked = new Map((instructors ?? ['', ...this.#usual.keys()]).map((id) => [this.#usual.get(id), id]))
    const possible = [...kinds.values()].flatMap((lesson) =>
      [...asked.values()].flatMap((instructor_id) => this.vehiclesFor({ ...lesson, instructor_id })),
    )
    return [...new Set(possible)]
  }

  #vehicleUseOf({ instructor_id, lesson_type_id, student_id }: DrivenLesson): VehicleUse {
    return {
      usual_vehicle_id: this.#usual.get(instructor_id) ?? null,
      lesson_type: this.#types.get(lesson_type_id ?? ''),
      student_class: this.#classes.get(student_id ?? ''),
    }
  }
}

/** Reads the vehicles of a school, with the classes of the named students. */
export async function readFleet(
  db: Database,
  tenant_id: string,
  students: readonly (string | null)[],
): Promise<SchoolFleet> {
  const student_ids = [...new Set(students.filter((id) => id !== null))]
  const [row] = await selectFleet(db, { tenant_id, student_ids })
  if (!row) throw new Error('The fleet has no row')
  return new SchoolFleet(row)
}

type Row = {
  readonly vehicles: readonly FleetVehicle[]
  readonly usual: Readonly<Record<string, string>>
  readonly lesson_types: Readonly<Record<string, DrivenType>>
  readonly student_classes: Readonly<Record<string, VehicleClass>>
}

type FleetQuery = { readonly tenant_id: string; readonly student_ids: readonly string[] }

const selectFleet = statement((db, { tenant_id, student_ids }: Parameters<FleetQuery>) =>
  sql<Row>`select
    (select coalesce(json_agg(json_build_object(
        'id', id, 'kind', kind, 'active', active, 'license_classes', license_classes)), '[]')
      from vehicles where tenant_id = ${tenant_id} and deleted_at is null) as vehicles,
    (select coalesce(json_object_agg(id, usual_vehicle_id), '{}')
      from instructors where tenant_id = ${tenant_id} and usual_vehicle_id is not null) as usual,
    (select coalesce(json_object_agg(id, json_build_object(
        'category', category, 'counts_toward_legal_minutes', counts_toward_legal_minutes)), '{}')
      from lesson_types where tenant_id = ${tenant_id}) as lesson_types,
    (select coalesce(json_object_agg(student.id, json_build_object(
        'code', template.code, 'license_class', template.license_class)), '{}')
      from students student
      join license_class_templates template
        on template.tenant_id = ${tenant_id} and template.id = student.license_class_template_id
      where student.tenant_id = ${tenant_id} and student.id = any(${student_ids}::uuid[])) as student_classes`.compile(
    db,
  ),
)
