// Command checkExport checks unpacked exports with the code of Go's checksum database
// (golang.org/x/mod/sumdb), which has nothing in common with Heatmark:
//
//	checkExport FOLDER...
//
// It checks the signature of the checkpoint, computes the tree from events.ndjson, compares it
// with the checkpoint and with every tile, and proves the first, the middle and the last event.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Tiles of C2SP hold 2^8 hashes.
const tileHeight = 8

func main() {
	wrong := false
	for _, folder := range os.Args[1:] {
		tree, err := check(folder)
		if err != nil {
			wrong = true
			fmt.Printf("%s: %v\n", folder, err)
			continue
		}
		fmt.Printf("%s: %d events, %s\n", folder, tree.N, tree.Hash)
	}
	if wrong || len(os.Args) < 2 {
		os.Exit(1)
	}
}

func check(folder string) (tlog.Tree, error) {
	tree, err := openCheckpoint(folder)
	if err != nil {
		return tree, err
	}
	hashes, leaves, err := readEvents(folder)
	if err != nil {
		return tree, err
	}
	if int64(len(leaves)) != tree.N {
		return tree, fmt.Errorf("events.ndjson has %d lines, the checkpoint covers %d", len(leaves), tree.N)
	}
	// Older versions of tlog give the empty tree another hash than RFC 6962 does.
	if tree.N == 0 && tree.Hash == sha256.Sum256(nil) {
		return tree, nil
	}
	root, err := tlog.TreeHash(tree.N, hashes)
	if err != nil {
		return tree, err
	}
	if root != tree.Hash {
		return tree, errors.New("the checkpoint was signed for other events")
	}
	for _, tile := range tilesIn(tree.N) {
		if err := compareTile(folder, tile, hashes); err != nil {
			return tree, err
		}
	}
	fromTiles := tlog.TileHashReader(tree, tilesOf(folder))
	for _, index := range []int64{0, tree.N / 2, tree.N - 1} {
		proof, err := tlog.ProveRecord(tree.N, index, fromTiles)
		if err != nil {
			return tree, err
		}
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, leaves[index]); err != nil {
			return tree, fmt.Errorf("line %d: %w", index+1, err)
		}
	}
	return tree, nil
}

// openCheckpoint returns the signed tree. A key of keys.json must have signed it.
func openCheckpoint(folder string) (tree tlog.Tree, err error) {
	content, err := os.ReadFile(filepath.Join(folder, "keys.json"))
	if err != nil {
		return tree, err
	}
	var set struct{ Keys []struct{ Vkey string } }
	if err := json.Unmarshal(content, &set); err != nil {
		return tree, fmt.Errorf("keys.json: %w", err)
	}
	var known []note.Verifier
	for _, key := range set.Keys {
		verifier, err := note.NewVerifier(key.Vkey)
		if err != nil {
			return tree, fmt.Errorf("keys.json: %w", err)
		}
		known = append(known, verifier)
	}
	signed, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	if err != nil {
		return tree, err
	}
	opened, err := note.Open(signed, note.VerifierList(known...))
	if err != nil {
		return tree, fmt.Errorf("checkpoint: %w", err)
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != opened.Sigs[0].Name {
		return tree, errors.New("checkpoint: not a checkpoint that its own log has signed")
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return tree, fmt.Errorf("checkpoint: %w", err)
	}
	if tree.Hash, err = tlog.ParseHash(lines[2]); err != nil {
		return tree, fmt.Errorf("checkpoint: %w", err)
	}
	return tree, nil
}

// storedHashes are those that tlog numbers with StoredHashIndex.
type storedHashes []tlog.Hash

func (stored storedHashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		read[i] = stored[index]
	}
	return read, nil
}

func readEvents(folder string) (storedHashes, []tlog.Hash, error) {
	file, err := os.Open(filepath.Join(folder, "events.ndjson"))
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	var hashes storedHashes
	var leaves []tlog.Hash
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		entry, err := entryOf(lines.Bytes())
		if err != nil {
			return nil, nil, fmt.Errorf("events.ndjson, line %d: %w", len(leaves)+1, err)
		}
		leaf := tlog.RecordHash(entry)
		added, err := tlog.StoredHashesForRecordHash(int64(len(leaves)), leaf, hashes)
		if err != nil {
			return nil, nil, err
		}
		hashes, leaves = append(hashes, added...), append(leaves, leaf)
	}
	return hashes, leaves, lines.Err()
}

// entryOf returns the entry of the log. Its texts are written as the line writes them.
func entryOf(line []byte) ([]byte, error) {
	var event struct{ ID, Revision, Stream, Type json.RawMessage }
	if err := json.Unmarshal(line, &event); err != nil {
		return nil, err
	}
	return []byte(fmt.Sprintf(`{"id":%s,"revision":%s,"sha256":"%x","stream":%s,"type":%s,"v":1}`,
		event.ID, event.Revision, sha256.Sum256(line), event.Stream, event.Type)), nil
}

// tilesIn returns the tiles of a log. NewTiles would also give all the narrower ones that it has had.
func tilesIn(size int64) (tiles []tlog.Tile) {
	const full = 1 << tileHeight
	for level := 0; size > 0; level, size = level+1, size>>tileHeight {
		for index := int64(0); index*full < size; index++ {
			width := size - index*full
			if width > full {
				width = full
			}
			tiles = append(tiles, tlog.Tile{H: tileHeight, L: level, N: index, W: int(width)})
		}
	}
	return tiles
}

func compareTile(folder string, tile tlog.Tile, hashes storedHashes) error {
	expected, err := tlog.ReadTileData(tile, hashes)
	if err != nil {
		return err
	}
	found, err := os.ReadFile(filepath.Join(folder, pathOf(tile)))
	if err != nil {
		return err
	}
	if !bytes.Equal(found, expected) {
		return fmt.Errorf("%s differs from the events", pathOf(tile))
	}
	return nil
}

// pathOf returns the path of C2SP tlog-tiles, which leaves out the height.
func pathOf(tile tlog.Tile) string {
	return "tile/" + strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", tileHeight))
}

type tilesOf string

func (folder tilesOf) Height() int { return tileHeight }

func (folder tilesOf) SaveTiles([]tlog.Tile, [][]byte) {}

func (folder tilesOf) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	read := make([][]byte, len(tiles))
	for i, tile := range tiles {
		var err error
		if read[i], err = os.ReadFile(filepath.Join(string(folder), pathOf(tile))); err != nil {
			return nil, err
		}
	}
	return read, nil
}
