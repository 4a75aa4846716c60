// Player data as part of a recording: each answer of a PlayerData is recorded, and repeated in a replay.
//
//   live:    script -> RecordedData -> SaveFolder        answers -> input log
//   replay:  script -> RecordedData -> ReplayedData      answers <- input log
//
// Invariant: a replay reads nothing from the machine and writes nothing to it. Answers are recorded per
// place, since systems of different mods ask at the same time, in any order. Those of one place are in order.
//
// The bytes of an answer: a letter (l list, r read, w write, d remove) and 0 with the text of an error, or 1
// with
//   l  count, then (length, name, bytes) each     r  0 none, 1 newest or 2 previous version, then its bytes
// The bytes of a saved world are not in the answer but its content, which a recording stores once.
#pragma once

#include "engine/save/player_data.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace perigee {

struct SaveAnswer {
    std::string place;
    std::string bytes;
    std::shared_ptr<const std::string> content = {};  ///< goes after the bytes; null: nothing

    friend bool operator==(const SaveAnswer& a, const SaveAnswer& b) {
        const bool has_both = a.content != nullptr && b.content != nullptr;
        return a.place == b.place && a.bytes == b.bytes &&
               (has_both ? *a.content == *b.content : a.content == b.content);
    }
};

/// Maximum size of an answer of a mod without its content: the contents of a file, or the names of all files.
inline constexpr std::size_t kMaxAnswerBytes = kMaxSaveBytes + 64;

class RecordedData final : public PlayerData {
public:
    /// `data` must outlive it.
    explicit RecordedData(PlayerData& data) : data_(data) {}

    /// The answers since the last call, by place.
    std::vector<SaveAnswer> take_answers();

    Result<std::vector<File>> list(const std::string& place) override;
    Result<std::optional<Content>> read(const std::string& place, const std::string& name,
                                        Version version) override;
    Result<void> write(const std::string& place, const std::string& name, std::string_view bytes) override;
    Result<void> write_made(const std::string& place, const std::string& name, const Make& make) override;
    Result<void> remove(const std::string& place, const std::string& name) override;

private:
    void keep(const std::string& place, std::string bytes, std::string_view content = {});

    PlayerData& data_;
    std::mutex mutex_;
    std::map<std::string, std::vector<SaveAnswer>> answers_;
};

class ReplayedData final : public PlayerData {
public:
    /// Sets the answers from now on; unused earlier answers are dropped.
    void give(std::vector<SaveAnswer> answers);

    /// Errors of all functions: recorded errors; the recording has no such answer, or a different one.
    Result<std::vector<File>> list(const std::string& place) override;
    Result<std::optional<Content>> read(const std::string& place, const std::string& name,
                                        Version version) override;
    Result<void> write(const std::string& place, const std::string& name, std::string_view bytes) override;
    /// Makes no bytes.
    Result<void> write_made(const std::string& place, const std::string& name, const Make& make) override;
    Result<void> remove(const std::string& place, const std::string& name) override;

private:
    Result<std::string> next(const std::string& place, char kind);

    std::mutex mutex_;
    std::map<std::string, std::deque<SaveAnswer>> answers_;
};

}  // namespace perigee
