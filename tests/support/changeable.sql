-- The view `results` of a run.db, as if it were a table: what its rows are changed to goes to the tables that have it.
-- Names that stand in other tables are not changed; an unknown class becomes that of its text.
CREATE TEMP TABLE changed(id INTEGER);
CREATE TEMP TRIGGER update_of_results INSTEAD OF UPDATE ON results BEGIN
    INSERT INTO changed SELECT r.id FROM measured r LEFT JOIN elements e USING (id)
        WHERE r.id BETWEEN OLD.case_index << 24 AND (OLD.case_index << 24) + 16777215
        AND launch_index = OLD.launch_index AND backend_index = OLD.backend_index AND method_index = OLD.method_index
        AND repeat = OLD.repeat AND coalesce(e.i, 0) = OLD.i AND coalesce(e.j, 0) = OLD.j;
    UPDATE elements SET id = NEW.case_index * 16777216 + id % 16777216, i = NEW.i, j = NEW.j,
        exact = CASE WHEN exact IS NOT NULL THEN NEW.exact END,
        condition = CASE WHEN exact IS NOT NULL THEN NEW.condition END,
        digest = CASE WHEN digest IS NOT NULL THEN NEW.digest END, map = CASE WHEN map IS NOT NULL THEN NEW.map END,
        mean_abs_error = NEW.mean_abs_error, mean_relative_error = NEW.mean_relative_error,
        mean_ulp_error = NEW.mean_ulp_error, mean_backward_error = NEW.mean_backward_error,
        mean_bound_ratio = NEW.mean_bound_ratio
        WHERE id IN (SELECT id FROM changed);
    UPDATE measured SET id = NEW.case_index * 16777216 + id % 16777216, launch_index = NEW.launch_index,
        backend_index = NEW.backend_index, method_index = NEW.method_index, repeat = NEW.repeat,
        weight = NEW.weight, computed = NEW.computed, computed_bits = NEW.computed_bits, nearest_bits = NEW.nearest_bits,
        abs_error = NEW.abs_error, relative_error = NEW.relative_error, ulp_error = NEW.ulp_error,
        backward_error = NEW.backward_error, bound_ratio = NEW.bound_ratio, bound = NEW.bound,
        probable_bound = NEW.probable_bound, height = NEW.height,
        class = coalesce((SELECT class FROM classes WHERE name = NEW.class), NEW.class)
        WHERE id IN (SELECT id FROM changed);
    DELETE FROM changed;
    UPDATE cases SET entry = NEW.entry, spec = NEW.spec, trial = NEW.trial, n = NEW.n, exact = NEW.exact,
        condition = NEW.condition WHERE case_index = OLD.case_index;
END;
CREATE TEMP TRIGGER delete_of_results INSTEAD OF DELETE ON results BEGIN
    INSERT INTO changed SELECT r.id FROM measured r LEFT JOIN elements e USING (id)
        WHERE r.id BETWEEN OLD.case_index << 24 AND (OLD.case_index << 24) + 16777215
        AND launch_index = OLD.launch_index AND backend_index = OLD.backend_index AND method_index = OLD.method_index
        AND repeat = OLD.repeat AND coalesce(e.i, 0) = OLD.i AND coalesce(e.j, 0) = OLD.j;
    DELETE FROM elements WHERE id IN (SELECT id FROM changed);
    DELETE FROM measured WHERE id IN (SELECT id FROM changed);
    DELETE FROM changed;
END;
