-- Copyright of nobody.

-- +goose Up
/* People who rent tools. */
CREATE TABLE renters (
    id BIGSERIAL PRIMARY KEY,
    "fullName" TEXT NOT NULL, -- as on the card
    phone VARCHAR(20) UNIQUE,
    CONSTRAINT phone_is_digits CHECK (phone ~ '^[0-9]+$')
);

CREATE TABLE IF NOT EXISTS shop.tools (
    id UUID DEFAULT gen_random_uuid(),
    renter_id BIGINT REFERENCES renters (id) ON DELETE CASCADE,
    sizes INTEGER[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (id)
);
CREATE INDEX tools_by_renter ON shop.tools (renter_id); CREATE TYPE state AS ENUM ('new', 'worn');

ALTER TABLE renters ADD COLUMN state state, DROP COLUMN phone;

CREATE VIEW idle AS
SELECT t.id FROM shop.tools t WHERE t.renter_id IS NULL;

CREATE FUNCTION forget() RETURNS void LANGUAGE sql AS $$
  DELETE FROM renters;
$$;

CREATE TRIGGER touched AFTER UPDATE ON renters FOR EACH ROW EXECUTE FUNCTION forget();
COMMENT ON COLUMN renters.state IS 'how it is';

INSERT INTO renters ("fullName") VALUES ('Ada'), ('it''s; me');

-- name: FindRenter :one
SELECT * FROM renters WHERE id = $1;
\connect other

SELECT (1;

-- +goose Down
DROP TABLE renters;
