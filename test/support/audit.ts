/**
 * Notes in which order lessons and rules were last written, by triggers; of a lesson, what the rules are asked about: they run under the locks of whoever writes, and
 * until the commit nobody else has them, so that a higher turn means "decided on what the lower one left". Neither the
 * numbers of transactions nor `now()` say that: a transaction that waits for a lock has both already.
 */
export const AUDIT = `
  create schema audit;
  create sequence audit.turns;
  create table audit.written (id uuid primary key, turn bigint not null);
  grant usage on schema audit to public;
  grant select on audit.written to public;
  create function audit.note() returns trigger language plpgsql security definer as $$
    begin
      insert into audit.written values (new.id, nextval('audit.turns'))
        on conflict (id) do update set turn = excluded.turn;
      return null;
    end $$;
  create trigger lesson_booked after insert on appointments for each row execute function audit.note();
  create trigger lesson_written after update on appointments for each row
    when ((old.instructor_id, old.student_id, old.lesson_type_id, old.start_at, old.end_at, old.deleted_at, old.status = 'cancelled')
      is distinct from
      (new.instructor_id, new.student_id, new.lesson_type_id, new.start_at, new.end_at, new.deleted_at, new.status = 'cancelled'))
    execute function audit.note();
  create trigger instructor_hired after insert on instructors for each row execute function audit.note();
  create trigger rules_written after update on instructors for each row
    when (old.version <> new.version) execute function audit.note();`
